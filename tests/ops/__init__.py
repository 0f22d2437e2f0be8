"""What starts and stops the product: the store, the launcher, the commands under ops/."""
