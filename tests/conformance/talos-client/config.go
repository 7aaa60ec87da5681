package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cosi-project/runtime/pkg/safe"
	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/client"
	"github.com/siderolabs/talos/pkg/machinery/resources/config"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"
)

var configChecks = []check{
	{"a dry run shows the difference and changes nothing", as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		answer, err := c.ApplyConfiguration(ctx, &machine.ApplyConfigurationRequest{
			Data:   []byte(l.Configs.Changed),
			Mode:   machine.ApplyConfigurationRequest_AUTO,
			DryRun: true,
		})
		if err != nil {
			return err
		}

		if got := answer.Messages[0].ModeDetails; !strings.Contains(got, "vm.swappiness") {
			return fmt.Errorf("it says %q", got)
		}

		return activeIs(ctx, c, l.Configs.CP)
	})},
	{"a config that is tried is reverted", as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		_, err := c.ApplyConfiguration(ctx, &machine.ApplyConfigurationRequest{
			Data:           []byte(l.Configs.Changed),
			Mode:           machine.ApplyConfigurationRequest_TRY,
			TryModeTimeout: durationpb.New(2 * time.Minute),
		})
		if err != nil {
			return err
		}

		if err = activeIs(ctx, c, l.Configs.Changed); err != nil {
			return err
		}

		return eventually(ctx, func(ctx context.Context) error { return activeIs(ctx, c, l.Configs.CP) })
	})},
	{"a config is applied without a reboot", as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		answer, err := apply(ctx, c, l.Configs.Changed, machine.ApplyConfigurationRequest_NO_REBOOT)
		if err != nil {
			return err
		}

		if answer.Mode != machine.ApplyConfigurationRequest_NO_REBOOT {
			return fmt.Errorf("the mode is %s", answer.Mode)
		}

		return activeIs(ctx, c, l.Configs.Changed)
	})},
	{"an unknown key is refused", as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		_, err := apply(ctx, c, l.Configs.UnknownKey, machine.ApplyConfigurationRequest_AUTO)

		return wants(codes.InvalidArgument, err)
	})},
	{"a reader does not apply", as("reader", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		_, err := apply(ctx, c, l.Configs.Changed, machine.ApplyConfigurationRequest_AUTO)

		return wants(codes.PermissionDenied, err)
	})},
	{"META is written and deleted", as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		if err := c.MetaWrite(ctx, 0x0c, []byte("value")); err != nil {
			return err
		}

		if err := c.MetaDelete(ctx, 0x0c); err != nil {
			return err
		}

		return wants(codes.NotFound, c.MetaDelete(ctx, 0x0c))
	})},
	{"a node makes credentials that work", as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		answer, err := c.GenerateClientConfiguration(ctx, &machine.GenerateClientConfigurationRequest{
			Roles:  []string{"os:reader"},
			CrtTtl: durationpb.New(time.Hour),
		})
		if err != nil {
			return err
		}

		if !strings.Contains(string(answer.Messages[0].Talosconfig), "os:reader@dev") {
			return fmt.Errorf("the talosconfig names no context os:reader@dev")
		}

		return nil
	})},
}

func activeIs(ctx context.Context, c *client.Client, text string) error {
	found, err := safe.StateGetByID[*config.MachineConfig](ctx, c.COSI, config.ActiveID)
	if err != nil {
		return err
	}

	got, err := found.Provider().Bytes()
	if err != nil {
		return err
	}

	if string(got) != text {
		return fmt.Errorf("the active config is another one")
	}

	return nil
}
