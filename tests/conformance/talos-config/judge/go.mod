// Only marks the module; each Talos release has its own go.mod under modules/.
module ichor/tests/conformance/talos-config
