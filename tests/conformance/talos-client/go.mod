module ichor.test/conformance/talos-client

go 1.26.6
