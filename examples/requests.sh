#!/bin/sh
# What to ask a service for, in order: an app, its key, a workflow, a version of it, an upload that needs no key, a run.
#
#   sh examples/requests.sh http://localhost:3000
set -eu
url=${1:-http://localhost:3000}
document=${2:-$(dirname "$0")/demo/expenses.csv}
admin="authorization: Bearer ${ADMIN_KEY:-local-admin-key}"
json="content-type: application/json"

# A text field of the answer.
field() { sed -E "s/.*\"$1\":\"([^\"]*)\".*/\1/"; }

app=$(curl -sS "$url/apps" -H "$admin" -H "$json" -d '{"name": "Lending"}' | field id)
echo "app       $app"

key=$(curl -sS "$url/apps/$app/keys" -H "$admin" -H "$json" -d '{"name": "server"}' | field key)
auth="authorization: Bearer $key"
echo "key       $key"

workflow=$(curl -sS "$url/apps/$app/workflows" -H "$auth" -H "$json" -d '{
  "name": "Lines",
  "steps": [
    { "type": "input", "key": "start", "input": { "document": { "type": "file", "extract_contents": true } } },
    { "type": "code", "key": "lines", "code": "return input.document[0].contents.trim().split(/\\n/).length" }
  ]
}' | field id)
echo "workflow  $workflow"

curl -sS "$url/apps/$app/workflows/$workflow/versions" -H "$auth" -H "$json" -d '{"notes": "first"}' > /dev/null
echo "version   1"

# The address is all that whoever sends the file needs to have.
upload=$(curl -sS -X POST "$url/apps/$app/files/uploads" -H "$auth")
curl -sS "$(echo "$upload" | field upload_url)" -F "file=@$document" > /dev/null
file=$(echo "$upload" | field future_file_id)
echo "file      $file"

echo "run"
curl -sS "$url/apps/$app/workflows/$workflow/runs" -H "$auth" -H "$json" -H "prefer: wait=10" \
  -d "{\"input\": {\"document\": [\"$file\"]}}"
echo
