//go:build talos14

package main

import "github.com/siderolabs/talos/pkg/machinery/config/generate"

func customCNI(url string) generate.Option { return generate.WithCustomCNIUrl(url) }
