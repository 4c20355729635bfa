// SPDX-License-Identifier: GPL-2.0
/*
 * cfslb: counts what the fair class's load balancer does, on the kernel as it is.
 * Files: /sys/kernel/debug/cfslb/, described in Documentation/counters.md.
 */
#define pr_fmt(fmt) "cfslb: " fmt

#include <linux/cpuhotplug.h>
#include <linux/module.h>
#include "classes.h"
#include "counters.h"
#include "debugfs.h"
#include "levels.h"
#include "main.h"
#include "queues.h"
#include "requires.h"
#include "topo.h"
#include "waste.h"

static char *level = "0";
module_param(level, charp, 0444);
MODULE_PARM_DESC(level, "probes at load: off, 0 (default), 1 or 2; later: the file control");

static int lb = -1;
module_param(lb, int, 0444);
MODULE_PARM_DESC(lb, "balancer's probes at load: 1, 0, or -1 (default): 1 where they cost little");

static char *llc;
module_param(llc, charp, 0444);
MODULE_PARM_DESC(llc, "last level caches, as CPU lists with ';' between: 0-3;4-7 (default: ask the kernel)");

static int hotplug_state;

static int cpu_up(unsigned int cpu)
{
	cfslb_topo_update(cpu);
	cfslb_queue_online(cpu, true);
	return 0;
}

static int cpu_down(unsigned int cpu)
{
	cfslb_queue_online(cpu, false);
	return 0;
}

static int hotplug_init(void)
{
	hotplug_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "cfslb:online", cpu_up, cpu_down);
	return hotplug_state < 0 ? hotplug_state : 0;
}

static void hotplug_exit(void)
{
	cpuhp_remove_state(hotplug_state);
}

static int start_probes(void)
{
	int level_nr, err = cfslb_level_parse(level, &level_nr);

	if (err) {
		pr_err("level=%s: off, 0, 1 or 2\n", level);
		return err;
	}
	/* lb=-1: try, and load without it if the kernel has no such function. */
	return cfslb_levels_init(level_nr, lb);
}

static int __init cfslb_init(void)
{
	int err;

	err = cfslb_topo_init(llc);
	if (err)
		return err;
	err = cfslb_counters_init();
	if (err)
		goto topo_exit;
	err = cfslb_classes_init();
	if (err)
		goto counters_exit;
	err = cfslb_queues_init();
	if (err)
		goto classes_exit;
	err = cfslb_waste_init();
	if (err)
		goto queues_exit;
	err = cfslb_view_init();
	if (err)
		goto waste_exit;
	err = hotplug_init();
	if (err)
		goto view_exit;
	err = cfslb_debugfs_init();
	if (err)
		goto hotplug_exit;
	err = start_probes();
	if (err)
		goto debugfs_exit;
	return 0;

debugfs_exit:
	cfslb_debugfs_exit();
hotplug_exit:
	hotplug_exit();
view_exit:
	cfslb_view_exit();
waste_exit:
	cfslb_waste_exit();
queues_exit:
	cfslb_queues_exit();
classes_exit:
	cfslb_classes_exit();
counters_exit:
	cfslb_counters_exit();
topo_exit:
	cfslb_topo_exit();
	return err;
}

/* Probes first: whatever they use is freed after them. */
static void __exit cfslb_exit(void)
{
	cfslb_levels_exit();
	cfslb_debugfs_exit();
	hotplug_exit();
	cfslb_view_exit();
	cfslb_waste_exit();
	cfslb_queues_exit();
	cfslb_classes_exit();
	cfslb_counters_exit();
	cfslb_topo_exit();
}

module_init(cfslb_init);
module_exit(cfslb_exit);
MODULE_DESCRIPTION("Counters of the fair class's load balancer");
MODULE_VERSION(CFSLB_VERSION);
MODULE_LICENSE("GPL");
