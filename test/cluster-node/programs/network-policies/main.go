// Command network-policies enforces NetworkPolicies on the stand-in node, with the controller of kube-router that k3s
// embeds. It requires iptables, ipset and the node's privileges.
package main

import (
	"flag"
	"sync"

	"github.com/cloudnativelabs/kube-router/v2/pkg/controllers/netpol"
	"github.com/cloudnativelabs/kube-router/v2/pkg/healthcheck"
	"github.com/cloudnativelabs/kube-router/v2/pkg/options"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig of the cluster")
	services := flag.String("service-cluster-ip-range", "", "address range of Services")
	node := flag.String("hostname-override", "", "name of the node")
	flag.Parse()
	if err := run(*kubeconfig, *services, *node); err != nil {
		klog.Fatal(err)
	}
}

// run enforces policies until the process ends.
func run(kubeconfig, services, node string) error {
	cluster, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(cluster)
	if err != nil {
		return err
	}
	config := options.NewKubeRouterConfig()
	config.EnableIPv4 = true
	config.RunFirewall = true
	config.ClusterIPCIDRs = []string{services}
	config.HostnameOverride = node
	tables, sets, err := netpol.NewIPTablesHandlers(config)
	if err != nil {
		return err
	}

	factory := informers.NewSharedInformerFactory(client, 0)
	pods := factory.Core().V1().Pods().Informer()
	namespaces := factory.Core().V1().Namespaces().Informer()
	policies := factory.Networking().V1().NetworkPolicies().Informer()
	forever := make(chan struct{})
	factory.Start(forever)
	factory.WaitForCacheSync(forever)

	controller, err := netpol.NewNetworkPolicyController(
		client, config, pods, policies, namespaces, &sync.Mutex{}, tables, sets)
	if err != nil {
		return err
	}
	for informer, handler := range map[cache.SharedIndexInformer]cache.ResourceEventHandler{
		pods: controller.PodEventHandler, namespaces: controller.NamespaceEventHandler, policies: controller.NetworkPolicyEventHandler,
	} {
		if _, err := informer.AddEventHandler(handler); err != nil {
			return err
		}
	}

	// The controller blocks until its heartbeats are read.
	heartbeats := make(chan *healthcheck.ControllerHeartbeat)
	go func() {
		for range heartbeats {
		}
	}()
	var done sync.WaitGroup
	done.Add(1)
	controller.Run(heartbeats, forever, &done)
	return nil
}
