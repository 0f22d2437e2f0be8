#!/usr/bin/env bash
# Records a table of Rockaway as it is played: you type what happens, the service keeps the score. Needs curl and jq.
#
#   UPCARD_TOKEN=<organiser's token> scorekeeper.sh http://127.0.0.1:8000 DEALS NAME NAME …
#
#   deal Ac : 2c 4c 6c … : 3c 5c 7c …    a deal: the upcard, then each hand, from seat 1 on
#   9c          whoever's turn it is plays that card
#   draw 5d     draws, and this is the card
#   pass        passes
#   ! 9c        the same (also ! draw 5d, ! pass) although the rules forbid it: it happened
#   may         what may be played now
#   sheet       the score sheet of the deal and the balances; shown by itself when a deal is over
#
# A line that the service refuses is not recorded; the clause and what may be played are shown. Lines end with the input.
# Left out: other games, and bringing in a record that is written already (POST /v1/records does).
set -euo pipefail

if [ $# -lt 4 ] || [ -z "${UPCARD_TOKEN:-}" ]; then
    echo "usage: UPCARD_TOKEN=<organiser's token> $0 ADDRESS DEALS NAME NAME …" >&2
    exit 2
fi
address="${1%/}" deals="$2"
shift 2
requests=0 started="$(date +%s)-$$-$RANDOM" path=/v1/sessions

# ask METHOD PATH [BODY]: sets `status` and `answer`. A command names the version that was seen, and keeps its key when it
# is sent again, so that a line whose answer was lost is recorded once. The token goes in by a file of curl's, since others
# of this machine see command lines.
ask() {
    local pause found said later options=(-sS -X "$1" -w '\n%{http_code} %header{retry-after}' --max-time 30)
    if [ $# -eq 3 ]; then
        requests=$((requests + 1))
        options+=(-H "Content-Type: application/json" -H "Idempotency-Key: $started-$requests" -d "$3")
        [ -z "${session:-}" ] || options+=(-H "If-Match: \"$(now .version)\"")
    fi
    for pause in 1 1 2 4 8 15 30; do
        if found="$(curl "${options[@]}" -K - "$address$2" <<<"header = \"Authorization: Bearer $UPCARD_TOKEN\"")"; then
            said="${found##*$'\n'}" answer="${found%$'\n'*}"
            status="${said% *}" later="${said#* }"
            case "$status" in
                429 | 5??) [[ ! "$later" =~ ^[0-9]+$ ]] || pause="$later" ;;
                *) return 0 ;;
            esac
        fi
        echo "$address cannot answer now; asking again." >&2
        sleep "$pause"
    done
    echo "$address does not answer. Whether the last line is recorded, $path shows." >&2
    exit 1
}

# post PATH BODY: sends it; the session after it, or the refusal.
post() {
    ask POST "$1" "$2"
    if [ "$status" = 201 ]; then
        session="$answer"
        return 0
    fi
    jq -r '"Refused" + (if .clause then " (" + .clause + ")" else "" end) + ": " + (.detail // .title),
        (.errors // {} | to_entries[] | "  \(.key): \(.value | tostring)"),
        (if .legal then "You may: " + ([.legal[] | .card // .type] | join(", ")) else empty end)' <<<"$answer"
    return 1
}

# now FILTER: something of the session as it is.
now() { jq -r "$1" <<<"$session"; }

turn() {
    now 'if .status == "playing" then
            "\(.players[.deal.turn - 1].name) on \(.deal.upcard // "an empty pile"), \(.deal.stock_count) in the stock"
        elif .status == "over" then "The session is over: \([.winners[] as $seat | .players[$seat - 1].name] | join(", "))"
        else "Type the next deal." end'
}

deal() {
    # The part before the first colon is the upcard, every other part a hand.
    post "$path/deals" "$(jq -cR 'split(":") | map(split(" ") | map(select(. != "")))
        | {upcard: (.[0][0] // ""), hands: .[1:]}' <<<"$1")"
}

play() {
    local words="$1" irregular=false
    [ "${words#!}" = "$words" ] || irregular=true words="${words#!}"
    post "$path/plays" "$(jq -cR --argjson seat "$(now '.deal.turn // 1')" --argjson irregular "$irregular" '
        split(" ") | map(select(. != ""))
        | {seat: $seat} + (if .[0] == "draw" then {type: "draw"} + (if .[1] then {cards: .[1:]} else {} end)
            elif .[0] == "pass" then {type: "pass"} else {type: "play", card: (.[0] // "")} end)
        + (if $irregular then {irregular: true} else {} end)' <<<"$words")"
}

may() {
    ask GET "$path/plays"
    jq -r '[.plays[] | .card // .type] | join(", ")' <<<"$answer"
}

sheet() {
    local names number
    names="$(now '[.players[].name]')" number="$(now '.deal.number // 0')"
    [ "$number" != 0 ] || return 0
    ask GET "$path/deals/$number"
    # Scored a moment after its last play; see ops/guides/integrate.md.
    while [ "$(jq -r .status <<<"$answer")" = pending ]; do
        sleep 0.2
        ask GET "$path/deals/$number"
    done
    jq -r --argjson names "$names" '"Deal \(.number): \(.status)",
        (.lines[] | "  \($names[.seat - 1])  \(.points)  \(.text)  (\(.clause))")' <<<"$answer"
    ask GET "$path/ledger"
    jq -r --argjson names "$names" \
        '"Balances: " + ([$names, .balances] | transpose | map("\(.[0]) \(.[1])") | join(", "))' <<<"$answer"
}

post "$path" "$(jq -cn --argjson deals "$deals" '{game: "rockaway", mode: "recorded", options: {deals: $deals},
    players: $ARGS.positional}' --args "$@")" || exit 1
path="$path/$(now .id)"
echo "Session $(now .id)"
turn
while read -r line; do
    before="$(now .status)"
    case "$line" in
        "" | "#"*) continue ;;
        "deal "*) deal "${line#deal }" || continue ;;
        may) may && continue ;;
        sheet) sheet && continue ;;
        *) play "$line" || continue ;;
    esac
    [ "$before" != playing ] || [ "$(now .status)" = playing ] || sheet
    turn
done
