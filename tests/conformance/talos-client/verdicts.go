package main

import (
	"context"
	"fmt"
	"regexp"
	"sort"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/client"
	"github.com/siderolabs/talos/pkg/machinery/compatibility"
	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	configmachine "github.com/siderolabs/talos/pkg/machinery/config/machine"
	"google.golang.org/grpc/codes"
)

// cloud is the mode of a nocloud machine.
type cloud struct{}

func (cloud) String() string        { return "cloud" }
func (cloud) RequiresInstall() bool { return false }
func (cloud) InContainer() bool     { return false }

// verdictChecks ask Talos's own library and the node about every variant: both must accept it, or both refuse it.
func verdictChecks(l *lab) []check {
	names := make([]string, 0, len(l.Variants))

	for name := range l.Variants {
		names = append(names, name)
	}

	sort.Strings(names)

	checks := make([]check, 0, len(names))

	for _, name := range names {
		checks = append(checks, check{"the library and the node agree about: " + name, agree(l.Variants[name])})
	}

	for _, contract := range []string{"v1.10", "v1.12", "v1.13", "v1.14"} {
		if strings.TrimPrefix(contract, "v1.") > strings.Split(l.Versions.Running, ".")[1] {
			continue
		}

		for _, kind := range []configmachine.Type{configmachine.TypeControlPlane, configmachine.TypeWorker} {
			checks = append(checks, check{fmt.Sprintf("the library and the node agree about: a generated %s of %s", kind, contract), generated(contract, kind)})
		}
	}

	return checks
}

func agree(text string) func(context.Context, *lab) error {
	return as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		wanted := judge(text, l.Versions.Running)
		_, err := c.ApplyConfiguration(ctx, &machine.ApplyConfigurationRequest{
			Data:   []byte(text),
			Mode:   machine.ApplyConfigurationRequest_STAGED,
			DryRun: true,
		})

		switch {
		case wanted == nil && err != nil:
			return fmt.Errorf("the library accepts it, and the node says: %w", err)
		case wanted != nil && err == nil:
			return fmt.Errorf("the node accepts it, and the library says: %w", wanted)
		case wanted != nil:
			return wants(codes.InvalidArgument, err)
		default:
			return nil
		}
	})
}

// judge does what a node does before it takes a config.
func judge(text, talos string) error {
	provider, err := configloader.NewFromBytes([]byte(text))
	if err != nil {
		return err
	}

	if provider.RawV1Alpha1() == nil {
		return fmt.Errorf("there is no v1alpha1 document")
	}

	if _, err = provider.Validate(cloud{}); err != nil {
		return err
	}

	return kubernetesFits(text, talos)
}

var kubeletImage = regexp.MustCompile(`kubelet:v([0-9.]+)`)

func kubernetesFits(text, talos string) error {
	found := kubeletImage.FindStringSubmatch(text)
	if found == nil {
		return nil
	}

	running, err := compatibility.ParseTalosVersion(&machine.VersionInfo{Tag: talos})
	if err != nil {
		return err
	}

	version, err := compatibility.ParseKubernetesVersion(found[1])
	if err != nil {
		return err
	}

	return version.SupportedWith(running)
}

// generated is what the library itself makes for a new cluster, in the style of a version.
func generated(contract string, kind configmachine.Type) func(context.Context, *lab) error {
	return func(ctx context.Context, l *lab) error {
		style, err := config.ParseContractFromVersion(contract)
		if err != nil {
			return err
		}

		input, err := generate.NewInput("dev", "https://10.5.0.2:6443", "1.36.3", generate.WithVersionContract(style))
		if err != nil {
			return err
		}

		made, err := input.Config(kind)
		if err != nil {
			return err
		}

		text, err := made.EncodeBytes()
		if err != nil {
			return err
		}

		return agree(string(text))(ctx, l)
	}
}
