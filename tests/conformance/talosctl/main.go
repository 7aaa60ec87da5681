// Only names what go.mod is for: talosctl itself is built from its own package.
package main

import _ "github.com/siderolabs/talos/cmd/talosctl/cmd"

func main() {}
