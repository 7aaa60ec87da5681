package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"

	"github.com/cosi-project/runtime/pkg/controller/generic"
	"github.com/cosi-project/runtime/pkg/resource"
	"github.com/cosi-project/runtime/pkg/safe"
	"github.com/cosi-project/runtime/pkg/state"
	"github.com/siderolabs/talos/pkg/machinery/client"
	configmachine "github.com/siderolabs/talos/pkg/machinery/config/machine"
	"github.com/siderolabs/talos/pkg/machinery/resources/block"
	"github.com/siderolabs/talos/pkg/machinery/resources/cluster"
	"github.com/siderolabs/talos/pkg/machinery/resources/config"
	"github.com/siderolabs/talos/pkg/machinery/resources/etcd"
	"github.com/siderolabs/talos/pkg/machinery/resources/k8s"
	"github.com/siderolabs/talos/pkg/machinery/resources/network"
	"github.com/siderolabs/talos/pkg/machinery/resources/runtime"
	"github.com/siderolabs/talos/pkg/machinery/resources/v1alpha1"
	"google.golang.org/grpc/codes"
)

var resourceChecks = []check{
	{"the type of the machine", typed(config.MachineTypeID, func(l *lab, found *config.MachineType) bool {
		return found.MachineType() == configmachine.TypeControlPlane
	})},
	{"the config is the one that was given", typed(config.ActiveID, func(l *lab, found *config.MachineConfig) bool {
		text, err := found.Provider().Bytes()

		return err == nil && string(text) == l.Configs.CP
	})},
	{"the members of the cluster", typed("worker", func(l *lab, found *cluster.Member) bool {
		spec := found.TypedSpec()

		return spec.MachineType == configmachine.TypeWorker && len(spec.Addresses) == 1 && spec.Addresses[0] == netip.MustParseAddr(l.Addresses.Worker)
	})},
	{"the addresses of the node", typed(network.NodeAddressDefaultID, func(l *lab, found *network.NodeAddress) bool {
		return found.TypedSpec().Addresses[0] == netip.MustParsePrefix(l.Addresses.CP+"/24")
	})},
	{"the link, which nocloud calls eth0", typed("eth0", func(l *lab, found *network.LinkStatus) bool {
		return found.TypedSpec().Physical() && found.TypedSpec().LinkState
	})},
	{"the host name", typed(network.HostnameID, func(l *lab, found *network.HostnameStatus) bool {
		return found.TypedSpec().Hostname == "cp"
	})},
	{"the network is ready", typed(network.StatusID, func(l *lab, found *network.Status) bool {
		return found.TypedSpec().AddressReady && found.TypedSpec().HostnameReady
	})},
	{"the disks", typed("sda", func(l *lab, found *block.Disk) bool {
		return found.TypedSpec().DevPath == "/dev/sda" && found.TypedSpec().Size == 20<<30 && !found.TypedSpec().CDROM
	})},
	{"the system disk", typed(block.SystemDiskID, func(l *lab, found *block.SystemDisk) bool {
		return found.TypedSpec().DevPath == "/dev/sda"
	})},
	{"the volumes", typed("EPHEMERAL", func(l *lab, found *block.VolumeStatus) bool {
		return found.TypedSpec().Phase == block.VolumePhaseReady
	})},
	{"etcd's own member", typed(etcd.LocalMemberID, func(l *lab, found *etcd.Member) bool {
		_, err := etcd.ParseMemberID(found.TypedSpec().MemberID)

		return err == nil
	})},
	{"the services", typed("kubelet", func(l *lab, found *v1alpha1.Service) bool {
		return found.TypedSpec().Running && found.TypedSpec().Healthy
	})},
	{"the schematic, which shows itself as an extension", typed("1", func(l *lab, found *runtime.ExtensionStatus) bool {
		return found.TypedSpec().Metadata.Name == "schematic"
	})},
	{"the name of the Kubernetes node", typed(k8s.NodenameID, func(l *lab, found *k8s.Nodename) bool {
		return found.TypedSpec().Nodename == "cp"
	})},
	{"the static pods", as("reader", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		return eventually(ctx, func(ctx context.Context) error {
			pods, err := safe.StateListAll[*k8s.StaticPodStatus](ctx, c.COSI)
			if err != nil {
				return err
			}

			for pod := range pods.All() {
				if phase := pod.TypedSpec().PodStatus["phase"]; phase != "Running" {
					return fmt.Errorf("%s is %v", pod.Metadata().ID(), phase)
				}
			}

			if pods.Len() != 3 {
				return fmt.Errorf("there are %d", pods.Len())
			}

			return nil
		})
	})},
	{"the machine is ready in the end", as("reader", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		_, err := c.COSI.WatchFor(ctx, runtime.NewMachineStatus().Metadata(), state.WithCondition(func(r resource.Resource) (bool, error) {
			status, ok := r.(*runtime.MachineStatus)

			return ok && status.TypedSpec().Status.Ready, nil
		}))

		return err
	})},
	{"a watch of a kind begins with all that is there", as("reader", cp, watchAll)},
	{"short names are resolved", as("reader", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		var namespace resource.Namespace

		found, err := c.ResolveResourceKind(ctx, &namespace, "machinestatus")
		if err != nil {
			return err
		}

		if found.TypedSpec().Type != runtime.MachineStatusType || namespace != runtime.NamespaceName {
			return fmt.Errorf("it is %s in %s", found.TypedSpec().Type, namespace)
		}

		return nil
	})},
	{"what does not exist is not found", as("reader", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		_, err := c.COSI.Get(ctx, v1alpha1.NewService("nothing").Metadata())
		if !state.IsNotFoundError(err) {
			return fmt.Errorf("the answer is %w", err)
		}

		return nil
	})},
	{"an unknown kind is refused, not missing", as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		_, err := c.COSI.Get(ctx, resource.NewMetadata("runtime", "Nonsenses.talos.dev", "a", resource.VersionUndefined))

		return wants(codes.PermissionDenied, err)
	})},
}

// typed reads one resource into Talos's own type, so that its protobuf form is judged too.
func typed[T generic.ResourceWithRD](id string, fits func(l *lab, found T) bool) func(context.Context, *lab) error {
	return as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		return eventually(ctx, func(ctx context.Context) error {
			found, err := safe.StateGetByID[T](ctx, c.COSI, id)
			if err != nil {
				return err
			}

			if !fits(l, found) {
				return fmt.Errorf("it is %v", found.Spec())
			}

			return nil
		})
	})
}

func watchAll(ctx context.Context, _ *lab, c *client.Client) error {
	events := make(chan safe.WrappedStateEvent[*v1alpha1.Service])
	if err := safe.StateWatchKind(ctx, c.COSI, v1alpha1.NewService("").Metadata(), events, state.WithBootstrapContents(true)); err != nil {
		return err
	}

	seen := map[string]bool{}

	for {
		select {
		case <-ctx.Done():
			return errors.New("it never said that this was all")
		case event := <-events:
			if event.Type() == state.Bootstrapped {
				if !seen["apid"] || !seen["etcd"] {
					return fmt.Errorf("it showed only %v", seen)
				}

				return nil
			}

			service, err := event.Resource()
			if err != nil {
				return err
			}

			seen[service.Metadata().ID()] = true
		}
	}
}
