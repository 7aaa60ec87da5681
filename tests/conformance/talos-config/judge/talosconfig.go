package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	clientconfig "github.com/siderolabs/talos/pkg/machinery/client/config"
)

// judgeTalosconfig opens our talosconfig with the client's package, and its certificates with Go's.
func (c *court) judgeTalosconfig(folder string) {
	c.verdict("talosconfig: opens, and its certificate is one of the cluster's CA", talosconfigProblems(folder))
}

func talosconfigProblems(folder string) []string {
	text, err := os.ReadFile(filepath.Join(folder, "talosconfig"))
	if err != nil {
		return []string{err.Error()}
	}

	config, err := clientconfig.FromBytes(text)
	if err != nil {
		return []string{"does not open: " + err.Error()}
	}

	context := config.Contexts[config.Context]
	if context == nil {
		return []string{fmt.Sprintf("has no context %q, which it names as the current one", config.Context)}
	}

	if !slices.Equal(context.Endpoints, []string{"10.0.10.11", "10.0.10.12"}) {
		return []string{fmt.Sprintf("has the endpoints %v", context.Endpoints)}
	}

	return certificateProblems(context)
}

func certificateProblems(context *clientconfig.Context) []string {
	pair, err := tls.X509KeyPair(decoded(context.Crt), decoded(context.Key))
	if err != nil {
		return []string{"certificate and key do not fit: " + err.Error()}
	}

	leaf, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		return []string{err.Error()}
	}

	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(decoded(context.CA))

	if _, err := leaf.Verify(x509.VerifyOptions{Roots: roots, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}); err != nil {
		return []string{"certificate is not the CA's: " + err.Error()}
	}

	if !slices.Equal(leaf.Subject.Organization, []string{"os:admin"}) {
		return []string{fmt.Sprintf("certificate has the roles %v", leaf.Subject.Organization)}
	}

	return nil
}

func decoded(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}

	return data
}
