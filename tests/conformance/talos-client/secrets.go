package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/cosi-project/runtime/pkg/safe"
	"github.com/cosi-project/runtime/pkg/state"
	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/client"
	"github.com/siderolabs/talos/pkg/machinery/resources/config"
	"google.golang.org/grpc/codes"
)

var secretChecks = []check{
	{"version and platform of a node that booted from its seed", as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		return eventually(ctx, func(ctx context.Context) error {
			answer, err := c.Version(ctx)
			if err != nil {
				return err
			}

			if got := answer.Messages[0]; got.Version.Tag != l.Versions.Running || got.Platform.Name != "nocloud" || got.Platform.Mode != "cloud" {
				return fmt.Errorf("it says %v", got)
			}

			return nil
		})
	})},
	{"without a certificate nothing answers", refused(func(ctx context.Context, l *lab) (*client.Client, error) {
		return insecure(ctx, l.Endpoints.CP)
	})},
	{"a certificate of another CA is refused", refused(named("foreignVm"))},
	{"an expired certificate is refused", refused(named("expired"))},
	{"a certificate for serving is refused, though it is one for calling too", refused(named("serving"))},
	{"a reader reads", as("reader", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		_, err := c.ServiceList(ctx)

		return err
	})},
	{"a reader does not bootstrap", as("reader", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		return wants(codes.PermissionDenied, c.Bootstrap(ctx, &machine.BootstrapRequest{}))
	})},
	{"a reader does not see the config", as("reader", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		_, err := safe.StateGetByID[*config.MachineConfig](ctx, c.COSI, config.ActiveID)

		return wants(codes.PermissionDenied, err)
	})},
	{"an operator does not reset", as("operator", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		return wants(codes.PermissionDenied, c.Reset(ctx, false, false))
	})},
	{"the backup role does not even ask for the version", as("etcdBackup", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		_, err := c.Version(ctx)

		return wants(codes.PermissionDenied, err)
	})},
	{"nobody writes resources", as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		if err := c.COSI.Destroy(ctx, config.NewMachineType().Metadata()); !state.IsOwnerConflictError(err) {
			return fmt.Errorf("the answer is %w", err)
		}

		return nil
	})},
}

func named(who string) func(context.Context, *lab) (*client.Client, error) {
	return func(ctx context.Context, l *lab) (*client.Client, error) { return secured(ctx, l, l.Endpoints.CP, who) }
}

// refused passes when the handshake fails, so that no call ever reaches the node.
func refused(open func(context.Context, *lab) (*client.Client, error)) func(context.Context, *lab) error {
	return func(ctx context.Context, l *lab) error {
		c, err := open(ctx, l)
		if err != nil {
			return err
		}

		defer c.Close() //nolint:errcheck

		_, err = c.Version(ctx)
		if err == nil {
			return errors.New("the node answered")
		}

		return wants(codes.Unavailable, err)
	}
}
