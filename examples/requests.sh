#!/bin/sh
# Sends the requests of the README and more: creates an app, a key, a workflow and a version, uploads a file, starts a run.
#
#   sh examples/requests.sh http://localhost:3000/automation
#
# Set ADMIN_KEY to the admin key of the server.
set -eu
url=${1:-http://localhost:3000/automation}
document=${2:-$(dirname "$0")/demo/expenses.csv}
admin="authorization: Bearer ${ADMIN_KEY:-local-admin-key}"
json="content-type: application/json"

# Stores the response in $answer. Prints an error response and exits.
ask() {
  answer=$(curl -sS --fail-with-body "$@") || { printf '%s\n' "$answer" >&2; exit 1; }
}

# Prints a text field of the response.
field() { printf '%s\n' "$answer" | sed -E "s/.*\"$1\":\"([^\"]*)\".*/\1/"; }

ask "$url/apps" -H "$admin" -H "$json" -d '{"name": "Lending"}'
app=$(field id)
echo "app       $app"

ask "$url/apps/$app/keys" -H "$admin" -H "$json" -d '{"name": "server"}'
key=$(field key)
auth="authorization: Bearer $key"
echo "key       $key"

ask "$url/apps/$app/workflows" -H "$auth" -H "$json" -d '{
  "name": "Lines",
  "steps": [
    { "type": "input", "key": "start", "input": { "document": { "type": "file", "extract_contents": true } } },
    { "type": "code", "key": "lines", "code": "return input.document[0].contents.trim().split(/\\n/).length" }
  ]
}'
workflow=$(field id)
echo "workflow  $workflow"

ask "$url/apps/$app/workflows/$workflow/versions" -H "$auth" -H "$json" -d '{"notes": "first"}'
echo "version   1"

# The sender of the file needs the upload URL and nothing else.
ask -X POST "$url/apps/$app/files/uploads" -H "$auth"
file=$(field future_file_id)
ask "$(field upload_url)" -F "file=@$document"
echo "file      $file"

echo "run"
ask "$url/apps/$app/workflows/$workflow/runs" -H "$auth" -H "$json" -H "prefer: wait=10" \
  -d "{\"input\": {\"document\": [\"$file\"]}}"
printf '%s\n' "$answer"
