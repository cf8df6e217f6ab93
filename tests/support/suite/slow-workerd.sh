#!/bin/sh
# The runtime, started late. `exec` keeps its process id and its pipes.
sleep "$RUNTIME_DELAY"
exec "$(dirname "$0")/../../../node_modules/workerd/bin/workerd" "$@"
