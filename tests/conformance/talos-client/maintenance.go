package main

import (
	"context"
	"fmt"

	"github.com/cosi-project/runtime/pkg/safe"
	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/client"
	"github.com/siderolabs/talos/pkg/machinery/resources/hardware"
	"github.com/siderolabs/talos/pkg/machinery/resources/runtime"
	"google.golang.org/grpc/codes"
)

var maintenanceChecks = []check{
	{"a machine without a config lists its disks to anybody", open(func(ctx context.Context, l *lab, c *client.Client) error {
		return eventually(ctx, func(ctx context.Context) error {
			answer, err := c.Disks(ctx)
			if err != nil {
				return err
			}

			if got := answer.Messages[0].Disks[0].DeviceName; got != "/dev/sda" {
				return fmt.Errorf("its first disk is %s", got)
			}

			return nil
		})
	})},
	{"it shows the UUID of its VM", open(func(ctx context.Context, l *lab, c *client.Client) error {
		found, err := safe.StateGetByID[*hardware.SystemInformation](ctx, c.COSI, hardware.SystemInformationID)
		if err != nil {
			return err
		}

		if got := found.TypedSpec().UUID; got != l.FreshUUID {
			return fmt.Errorf("the UUID is %s", got)
		}

		return nil
	})},
	{"its stage is maintenance", open(func(ctx context.Context, l *lab, c *client.Client) error {
		return eventually(ctx, func(ctx context.Context) error {
			return stageIs(ctx, c, runtime.MachineStageMaintenance)
		})
	})},
	{"nobody resets it without a certificate", open(func(ctx context.Context, l *lab, c *client.Client) error {
		return wants(codes.PermissionDenied, c.Reset(ctx, false, false))
	})},
	{"a config that does not fit is refused there", open(func(ctx context.Context, l *lab, c *client.Client) error {
		_, err := apply(ctx, c, l.Configs.Invalid, machine.ApplyConfigurationRequest_AUTO)

		return wants(codes.InvalidArgument, err)
	})},
	{"a config is taken, and the machine comes back secured", open(func(ctx context.Context, l *lab, c *client.Client) error {
		if _, err := apply(ctx, c, l.Configs.Fresh, machine.ApplyConfigurationRequest_AUTO); err != nil {
			return err
		}

		return eventually(ctx, func(ctx context.Context) error {
			return as("admin", fresh, func(ctx context.Context, l *lab, c *client.Client) error {
				_, err := c.Version(ctx)

				return err
			})(ctx, l)
		})
	})},
}

func open(run func(ctx context.Context, l *lab, c *client.Client) error) func(context.Context, *lab) error {
	return func(ctx context.Context, l *lab) error {
		c, err := insecure(ctx, l.Endpoints.Fresh)
		if err != nil {
			return err
		}

		defer c.Close() //nolint:errcheck

		return run(ctx, l, c)
	}
}

func apply(ctx context.Context, c *client.Client, text string, mode machine.ApplyConfigurationRequest_Mode) (*machine.ApplyConfiguration, error) {
	answer, err := c.ApplyConfiguration(ctx, &machine.ApplyConfigurationRequest{Data: []byte(text), Mode: mode})
	if err != nil {
		return nil, err
	}

	return answer.Messages[0], nil
}

func stageIs(ctx context.Context, c *client.Client, stage runtime.MachineStage) error {
	status, err := safe.StateGetByID[*runtime.MachineStatus](ctx, c.COSI, runtime.MachineStatusID)
	if err != nil {
		return err
	}

	if got := status.TypedSpec().Stage; got != stage {
		return fmt.Errorf("the stage is %s", got)
	}

	return nil
}
