//go:build !talos14

package main

import (
	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	"github.com/siderolabs/talos/pkg/machinery/config/types/v1alpha1"
)

func customCNI(url string) generate.Option {
	return generate.WithClusterCNIConfig(&v1alpha1.CNIConfig{CNIName: "custom", CNIUrls: []string{url}})
}
