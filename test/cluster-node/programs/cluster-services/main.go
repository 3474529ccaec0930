// Command cluster-services runs as the kube-system pods on the stand-in node, in one binary whose first argument
// selects the program: CoreDNS with the plugins that its Corefile names, and the metrics server that autoscaling
// queries. It is a separate module because both use newer Kubernetes libraries than the node.
package main

import (
	"fmt"
	"os"

	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/forward"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/ready"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/component-base/cli"
	metricsserver "sigs.k8s.io/metrics-server/cmd/metrics-server/app"
)

func main() {
	name := ""
	if len(os.Args) > 1 {
		name = os.Args[1]
		os.Args = os.Args[1:]
	}
	switch name {
	case "coredns":
		coremain.Run()
	case "metrics-server":
		os.Exit(cli.Run(metricsserver.NewMetricsServerCommand(genericapiserver.SetupSignalHandler())))
	default:
		fmt.Fprintln(os.Stderr, "usage: cluster-services coredns|metrics-server flag…")
		os.Exit(2)
	}
}
