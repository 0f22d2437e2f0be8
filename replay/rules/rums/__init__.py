"""What Poker Rum and Single-Pack Rum share: the turn, the pile and its turning over, combinations, options."""
