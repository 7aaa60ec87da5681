// Verifier reads certificates as Go, and so Talos, Kubernetes and etcd, read them, and says what it does not like.
// Each line of its input is one JSON object that says what a certificate is meant to be.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

// Expectation is what one certificate should be; Leaf is empty where the authority itself is judged.
type Expectation struct {
	Name          string   `json:"name"`
	Authority     string   `json:"authority"`
	AuthorityKey  string   `json:"authorityKey"`
	Leaf          string   `json:"leaf"`
	LeafKey       string   `json:"leafKey"`
	Organizations []string `json:"organizations"`
	CommonName    string   `json:"commonName"`
	Hours         int      `json:"hours"`
}

func main() {
	failed := false
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var expected Expectation
		err := json.Unmarshal(lines.Bytes(), &expected)
		if err == nil {
			err = judge(expected)
		}
		if err != nil {
			failed = true
			fmt.Printf("%s: %v\n", expected.Name, err)
		}
	}
	if failed || lines.Err() != nil {
		os.Exit(1)
	}
}

func judge(expected Expectation) error {
	authority, err := parse(expected.Authority)
	if err != nil {
		return err
	}
	if expected.Leaf == "" {
		return judgeAuthority(authority, expected)
	}
	leaf, err := parse(expected.Leaf)
	if err != nil {
		return err
	}
	return judgeLeaf(leaf, authority, expected)
}

func judgeAuthority(certificate *x509.Certificate, expected Expectation) error {
	_, err := tls.X509KeyPair([]byte(expected.Authority), []byte(expected.AuthorityKey))
	return errors.Join(
		err,
		certificate.CheckSignature(certificate.SignatureAlgorithm, certificate.RawTBSCertificate, certificate.Signature),
		demand(certificate.IsCA && certificate.BasicConstraintsValid, "it is not a CA"),
		demand(certificate.MaxPathLen == -1, "it has a path length"),
		demand(certificate.KeyUsage == x509.KeyUsageDigitalSignature|x509.KeyUsageCertSign, "its key usage differs"),
		demand(slices.Equal(certificate.ExtKeyUsage, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}), "its extended key usage differs"),
		demand(len(certificate.SubjectKeyId) == 20, "its subject key id is not 20 bytes long"),
		demand(len(certificate.AuthorityKeyId) == 0, "it has an authority key id"),
		demand(string(certificate.RawSubject) == string(certificate.RawIssuer), "subject and issuer differ"),
		judgeBoth(certificate, expected),
	)
}

func judgeLeaf(leaf, authority *x509.Certificate, expected Expectation) error {
	roots := x509.NewCertPool()
	roots.AddCert(authority)
	_, chainErr := leaf.Verify(x509.VerifyOptions{Roots: roots, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	_, pairErr := tls.X509KeyPair([]byte(expected.Leaf), []byte(expected.LeafKey))
	return errors.Join(
		chainErr,
		pairErr,
		demand(!leaf.IsCA, "it is a CA"),
		demand(slices.Equal(leaf.ExtKeyUsage, []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}), "client authentication is not its only use"),
		demand(string(leaf.AuthorityKeyId) == string(authority.SubjectKeyId), "its authority key id differs"),
		judgeBoth(leaf, expected),
	)
}

func judgeBoth(certificate *x509.Certificate, expected Expectation) error {
	organizations := slices.Sorted(slices.Values(certificate.Subject.Organization))
	hours := time.Duration(expected.Hours) * time.Hour
	return errors.Join(
		demand(certificate.Version == 3, "it is not of version 3"),
		demand(certificate.SerialNumber.Sign() > 0, "its serial number is not positive"),
		demand(slices.Equal(organizations, expected.Organizations), fmt.Sprintf("its organizations are %q", organizations)),
		demand(certificate.Subject.CommonName == expected.CommonName, fmt.Sprintf("its common name is %q", certificate.Subject.CommonName)),
		demand(certificate.NotBefore.Before(time.Now().Add(-time.Minute)), "a clock that is behind refuses it"),
		demand(time.Until(certificate.NotAfter).Round(time.Hour) == hours, fmt.Sprintf("it ends at %s", certificate.NotAfter)),
	)
}

func parse(text string) (*x509.Certificate, error) {
	block, rest := pem.Decode([]byte(text))
	if block == nil || block.Type != "CERTIFICATE" || len(rest) != 0 {
		return nil, errors.New("it is not one PEM certificate")
	}
	return x509.ParseCertificate(block.Bytes)
}

func demand(holds bool, problem string) error {
	if holds {
		return nil
	}
	return errors.New(problem)
}
