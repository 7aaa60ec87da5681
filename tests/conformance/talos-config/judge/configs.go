package main

import (
	"fmt"
	"path/filepath"
	"strings"

	coreconfig "github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/config/encoder"
	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	"github.com/siderolabs/talos/pkg/machinery/config/generate/secrets"
	"github.com/siderolabs/talos/pkg/machinery/config/machine"
	"github.com/siderolabs/talos/pkg/machinery/config/validation"
)

type configCase struct {
	Name     string `json:"name"`
	Contract string `json:"contract"`
	Role     string `json:"role"`
	Config   string `json:"config"`
	// Masked is the config as ours shows it.
	Masked string `json:"masked"`
	// Extra are patches for what the generator takes no option for.
	Extra []string `json:"specs"`
	Input input    `json:"input"`
}

// input is what the library's own generator takes.
type input struct {
	ClusterName       string              `json:"clusterName"`
	Endpoint          string              `json:"endpoint"`
	KubernetesVersion string              `json:"kubernetesVersion"`
	InstallDisk       string              `json:"installDisk"`
	InstallImage      string              `json:"installImage"`
	DNSDomain         string              `json:"dnsDomain"`
	Sans              []string            `json:"sans"`
	PodSubnets        []string            `json:"podSubnets"`
	ServiceSubnets    []string            `json:"serviceSubnets"`
	Sysctls           map[string]string   `json:"sysctls"`
	Discovery         bool                `json:"discovery"`
	KubePrismPort     int                 `json:"kubePrismPort"`
	AllowScheduling   bool                `json:"allowScheduling"`
	CustomCNI         string              `json:"customCni"`
	Mirrors           map[string][]string `json:"mirrors"`
	RegistryCA        map[string]string   `json:"registryCa"`
	InsecureRegistry  []string            `json:"insecureRegistries"`
}

type mode struct {
	name            string
	requiresInstall bool
}

func (m mode) String() string        { return m.name }
func (m mode) RequiresInstall() bool { return m.requiresInstall }
func (m mode) InContainer() bool     { return false }

func (c *court) judgeConfigs(folder string) {
	bundle, err := secrets.LoadBundle(filepath.Join(folder, "secrets.yaml"))
	if err != nil {
		fail(err)
	}

	bundle.Clock = secrets.NewClock()

	for _, file := range filesIn(folder, "config-*.json") {
		var one configCase

		readJSON(file, &one)
		c.verdict("config: "+one.Name, c.problemsOf(one, bundle))
	}
}

// judgePhases takes the configs of the phases of a rotation: they hold keys that no bundle has, so they are not compared.
func (c *court) judgePhases(folder string) {
	for _, file := range filesIn(folder, "phase-*.json") {
		var one configCase

		readJSON(file, &one)

		config, err := configloader.NewFromBytes([]byte(one.Config))
		if err != nil {
			c.verdict("phase: "+one.Name, []string{"does not load: " + err.Error()})

			continue
		}

		c.verdict("phase: "+one.Name, append(validationProblems(config), c.shownSecrets(config, one)...))
	}
}

func (c *court) problemsOf(one configCase, bundle *secrets.Bundle) []string {
	ours, err := configloader.NewFromBytes([]byte(one.Config))
	if err != nil {
		return []string{"does not load: " + err.Error()}
	}

	problems := append(validationProblems(ours), c.shownSecrets(ours, one)...)

	theirs, err := expected(one, bundle)
	if err != nil {
		return append(problems, "the library does not generate: "+err.Error())
	}

	found, err := differences(ours, theirs)
	if err != nil {
		return append(problems, err.Error())
	}

	for _, difference := range found {
		if !c.isKnown("config", one.Name, difference.kind, difference.path) {
			problems = append(problems, difference.String())
		}
	}

	return problems
}

func validationProblems(config coreconfig.Provider) []string {
	var problems []string

	for _, mode := range []mode{{"metal", true}, {"cloud", false}} {
		warnings, err := config.Validate(mode, validation.WithLocal())
		if err != nil {
			problems = append(problems, fmt.Sprintf("is not valid for %s: %s", mode, strings.Join(strings.Fields(err.Error()), " ")))
		}

		for _, warning := range warnings {
			if !strings.Contains(warning, "deprecated") {
				problems = append(problems, fmt.Sprintf("draws a warning for %s: %s", mode, warning))
			}
		}
	}

	return problems
}

// expected is what the library generates, with the extra patches patched in by the library.
func expected(one configCase, bundle *secrets.Bundle) (coreconfig.Provider, error) {
	config, err := generated(one, bundle)
	if err != nil {
		return nil, err
	}

	text, err := config.EncodeBytes(encoder.WithComments(encoder.CommentsDisabled))
	if err != nil {
		return nil, err
	}

	return patched(patchCase{Config: string(text), Patches: one.Extra})
}

func generated(one configCase, bundle *secrets.Bundle) (coreconfig.Provider, error) {
	contract, err := coreconfig.ParseContractFromVersion(one.Contract)
	if err != nil {
		return nil, err
	}

	in := one.Input
	options := []generate.Option{
		generate.WithVersionContract(contract),
		generate.WithSecretsBundle(bundle),
		generate.WithInstallDisk(in.InstallDisk),
		generate.WithInstallImage(in.InstallImage),
		generate.WithDNSDomain(in.DNSDomain),
		generate.WithAdditionalSubjectAltNames(in.Sans),
		generate.WithSysctls(in.Sysctls),
		generate.WithClusterDiscovery(in.Discovery),
		generate.WithKubePrismPort(in.KubePrismPort),
		generate.WithAllowSchedulingOnControlPlanes(in.AllowScheduling),
	}

	if in.CustomCNI != "" {
		options = append(options, customCNI(in.CustomCNI))
	}

	for host, endpoints := range in.Mirrors {
		options = append(options, generate.WithRegistryMirror(host, endpoints...))
	}

	for host, ca := range in.RegistryCA {
		options = append(options, generate.WithRegistryCACert(host, ca))
	}

	for _, host := range in.InsecureRegistry {
		options = append(options, generate.WithRegistryInsecureSkipVerify(host))
	}

	prepared, err := generate.NewInput(in.ClusterName, in.Endpoint, strings.TrimPrefix(in.KubernetesVersion, "v"), options...)
	if err != nil {
		return nil, err
	}

	prepared.PodNet = in.PodSubnets
	prepared.ServiceNet = in.ServiceSubnets

	role, err := machine.ParseType(one.Role)
	if err != nil {
		return nil, err
	}

	return prepared.Config(role)
}

const ourMask = `"(secret)"`

// shownSecrets finds what the library takes for a secret and ours does not mask.
func (c *court) shownSecrets(config coreconfig.Provider, one configCase) []string {
	open, err := fieldsOf(config)
	if err != nil {
		return []string{err.Error()}
	}

	redacted, err := fieldsOf(config.RedactSecrets("REDACTED"))
	if err != nil {
		return []string{err.Error()}
	}

	shown, err := fieldsIn([]byte(one.Masked))
	if err != nil {
		return []string{err.Error()}
	}

	var problems []string

	for key, value := range open {
		isSecret := redacted[key] != value && value != `""`
		if isSecret && shown[key] != ourMask && !c.isKnown("mask", one.Name, key.kind, key.path) {
			problems = append(problems, fmt.Sprintf("%s %s is a secret and is shown", key.document, key.path))
		}
	}

	return problems
}
