package main

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/client"
	"github.com/siderolabs/talos/pkg/machinery/compatibility"
	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
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

	return checks
}

func agree(text string) func(context.Context, *lab) error {
	return as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		wanted := judge(text)
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
func judge(text string) error {
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

	return kubernetesFits(provider)
}

func kubernetesFits(provider config.Provider) error {
	talos, err := compatibility.ParseTalosVersion(&machine.VersionInfo{Tag: "v1.13.9"})
	if err != nil {
		return err
	}

	image := provider.Machine().Kubelet().Image()

	version, err := compatibility.ParseKubernetesVersion(strings.TrimPrefix(image[strings.LastIndex(image, ":")+1:], "v"))
	if err != nil {
		return err
	}

	return version.SupportedWith(talos)
}
