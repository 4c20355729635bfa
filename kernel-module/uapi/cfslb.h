/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What programs that read cfslb need to know: the numbers of reasons, distances
 * and so on, and the layout of /sys/kernel/debug/cfslb/snapshot.
 *
 * Every number here is cfslb's own and never changes its meaning. New values are
 * added at the end of their list; CFSLB_ABI counts changes that break a reader.
 */
#ifndef _UAPI_CFSLB_H
#define _UAPI_CFSLB_H

#include <linux/types.h>

#define CFSLB_ABI 1

/* Why a task changed its CPU. */
enum cfslb_reason {
	CFSLB_WAKE,
	CFSLB_EXEC,
	CFSLB_NEWIDLE,
	CFSLB_PERIODIC_BUSY,
	CFSLB_PERIODIC_IDLE,
	CFSLB_NOHZ,
	CFSLB_ACTIVE,
	CFSLB_NUMA_MOVE,
	CFSLB_NUMA_SWAP,
	CFSLB_AFFINITY,
	CFSLB_HOTPLUG,
	CFSLB_CORE,
	CFSLB_RT_DL,
	CFSLB_OTHER,
	CFSLB_NR_REASONS,
};

/* How far it went: the closest of these that both CPUs share. */
enum cfslb_distance {
	CFSLB_SAME_CORE,
	CFSLB_SAME_LLC,
	CFSLB_SAME_NODE,
	CFSLB_REMOTE_NEAR,	/* no remote node is closer to the source's node */
	CFSLB_REMOTE_FAR,
	CFSLB_NR_DISTANCES,
};

/* Events that choose a CPU for a task. */
enum cfslb_place_kind {
	CFSLB_PLACE_WAKE,
	CFSLB_PLACE_FORK,
	CFSLB_PLACE_EXEC,
	CFSLB_NR_PLACE_KINDS,
};

/* Which CPU was chosen. */
enum cfslb_placement {
	CFSLB_KEPT_PREV,	/* the one it last ran on */
	CFSLB_TO_WAKER,		/* the one that woke it */
	CFSLB_MOVED,
	CFSLB_NR_PLACEMENTS,
};

/* What decided where a task was placed. */
enum cfslb_place_how {
	CFSLB_HOW_KEPT,			/* no domain to search */
	CFSLB_HOW_ENERGY,
	CFSLB_HOW_IDLEST,		/* idlest CPU of the idlest group */
	CFSLB_HOW_TARGET_IDLE,
	CFSLB_HOW_PREV_IDLE,
	CFSLB_HOW_RECENT_IDLE,
	CFSLB_HOW_KTHREAD_DONE,
	CFSLB_HOW_IDLE_CORE,
	CFSLB_HOW_IDLE_CPU,
	CFSLB_HOW_IDLE_SIBLING,
	CFSLB_HOW_IDLE_CAPACITY,
	CFSLB_HOW_TARGET_BUSY,		/* no idle CPU was found */
	CFSLB_NR_HOW,
};

/* Kinds of imbalance: each has its own unit. */
#define CFSLB_NR_IMB_KINDS 4	/* load, utilization, tasks, misfit */

/* Why tasks that a pass looked at stayed: affinity, running, hot, size, other. */
#define CFSLB_NR_STAYS 5

/* State of a CPU when a task is put on it. */
enum cfslb_cpu_state {
	CFSLB_CPU_UNKNOWN,	/* level 2 was off */
	CFSLB_CPU_IDLE,
	CFSLB_CPU_BUSY,
	CFSLB_CPU_BUSY_LLC_IDLE, /* busy, and an allowed CPU of its LLC was idle */
	CFSLB_NR_CPU_STATES,
};

/* Why a balancing pass runs. */
enum cfslb_idle_type {
	CFSLB_IDLE_BUSY,
	CFSLB_IDLE_IDLE,
	CFSLB_IDLE_NEWIDLE,
	CFSLB_NR_IDLE_TYPES,
};

/* Domain levels that are told apart; the last one takes all above it. */
#define CFSLB_NR_LEVELS 10

/*
 * Columns of the tables of a snapshot. Columns of the text files that are sums
 * or differences of these are not in the snapshot.
 */
enum cfslb_place_column {
	/* [placement * CFSLB_NR_CPU_STATES + state] */
	CFSLB_PLACE_FIRST,
	/*
	 * [+ state]: counted as kept, then moved after all: subtract from kept, but
	 * not below zero (the move may be here before the wake-up is there)
	 */
	CFSLB_PLACE_NOT_KEPT = CFSLB_NR_PLACEMENTS * CFSLB_NR_CPU_STATES,
	/* [+ how]: enum cfslb_place_how */
	CFSLB_PLACE_HOW_FIRST = CFSLB_PLACE_NOT_KEPT + CFSLB_NR_CPU_STATES,
	CFSLB_PLACE_SCANNED = CFSLB_PLACE_HOW_FIRST + CFSLB_NR_HOW,
	CFSLB_NR_PLACE_COLUMNS,
};

enum cfslb_lb_column {
	CFSLB_LB_CALLS,
	CFSLB_LB_NOT_DESIGNATED,
	CFSLB_LB_NO_GROUP,
	CFSLB_LB_NO_QUEUE,
	CFSLB_LB_PULLED_CALLS,
	CFSLB_LB_PULLED_TASKS,
	CFSLB_LB_FAILED,
	CFSLB_LB_ALL_PINNED,
	CFSLB_LB_UNEXPLAINED,
	CFSLB_LB_ALB_KICK,
	CFSLB_LB_ALB_OK,
	CFSLB_LB_ALB_FAIL,
	CFSLB_LB_TIME_NS,
	CFSLB_LB_IMB_FIRST,	/* [+ 2 * kind]: how many; [+ 2 * kind + 1]: their sum */
	CFSLB_LB_SCANNED = CFSLB_LB_IMB_FIRST + 2 * CFSLB_NR_IMB_KINDS,
	CFSLB_LB_STAY_FIRST,
	CFSLB_NR_LB_COLUMNS = CFSLB_LB_STAY_FIRST + CFSLB_NR_STAYS,
};

enum cfslb_newidle_column {
	CFSLB_NEWIDLE_TRIES,
	CFSLB_NEWIDLE_PULLED,
	CFSLB_NEWIDLE_TIME_NS,
	CFSLB_NEWIDLE_SKIPPED,
	CFSLB_NEWIDLE_NOT_OVERLOADED,
	CFSLB_NEWIDLE_SHORT_IDLE,
	CFSLB_NR_NEWIDLE_COLUMNS,
};

enum cfslb_nohz_column {
	CFSLB_NOHZ_RUNS,
	CFSLB_NOHZ_CPUS_SERVED,
	CFSLB_NOHZ_KICK_LOAD,
	CFSLB_NOHZ_KICK_STATS,
	CFSLB_NOHZ_KICK_MISFIT,
	CFSLB_NOHZ_KICK_LLC,
	CFSLB_NOHZ_KICK_OTHER,
	CFSLB_NR_NOHZ_COLUMNS,
};

enum cfslb_numa_column {
	CFSLB_NUMA_MOVE_TRY,
	CFSLB_NUMA_MOVE_DONE,
	CFSLB_NUMA_SWAP_TRY,
	CFSLB_NUMA_SWAP_DONE,
	CFSLB_NUMA_STICK_NO_CPU,
	CFSLB_NUMA_STICK_FAILED,
	CFSLB_NR_NUMA_COLUMNS,
};

enum cfslb_waste_column {
	CFSLB_WASTE_IDLE_NS,
	CFSLB_WASTE_SAME_NODE_NS,
	CFSLB_WASTE_EPISODES_10MS,
	CFSLB_WASTE_EPISODES_100MS,
	CFSLB_WASTE_ANY_NS,
	CFSLB_NR_WASTE_COLUMNS,
};

/*
 * Rows of waitlat: placement of a wake-up (enum cfslb_placement) or fork, times
 * distance. Columns: bucket b counts waits of less than 2^(b + 8) ns that are in
 * no earlier bucket; the last one has no upper end.
 */
#define CFSLB_WAITLAT_FORK	CFSLB_NR_PLACEMENTS
#define CFSLB_NR_WAITLAT_KINDS	(CFSLB_NR_PLACEMENTS + 1)
#define CFSLB_NR_WAIT_BUCKETS	28
#define CFSLB_WAIT_SHIFT	8

/*
 * Tables, with their rows in order; "for each" nests as written.
 * CPU numbers run to header.nr_cpus, node numbers to header.nr_nodes.
 */
enum cfslb_table_id {
	CFSLB_T_MIGRATE,	/* destination CPU; columns: reasons */
	CFSLB_T_DISTANCE,	/* reason; columns: distances */
	CFSLB_T_MATRIX,		/* source node, destination node; columns: reasons */
	CFSLB_T_PLACE,		/* CPU, place kind */
	CFSLB_T_LB,		/* CPU, level, idle type */
	CFSLB_T_NEWIDLE,	/* CPU */
	CFSLB_T_NOHZ,		/* CPU */
	CFSLB_T_NUMA,		/* source node, destination node */
	CFSLB_T_WASTE,		/* node, then one row for the machine */
	CFSLB_T_WAITLAT,	/* waitlat kind, distance; columns: buckets */
	CFSLB_NR_TABLES,
};

#define CFSLB_SNAPSHOT_MAGIC 0x424c5343u /* "CSLB" read as little endian */

/* All numbers of a snapshot are little endian. Cells are __u64. */
struct cfslb_snapshot_table {
	__le32 id;		/* enum cfslb_table_id */
	__le32 rows;
	__le32 cols;
	__le32 flags;		/* CFSLB_TABLE_* */
	__le64 offset;		/* of cell (0, 0), bytes from the start of the file */
};

#define CFSLB_TABLE_MEASURED 1	/* its source was on in this epoch: zeros are zeros */

struct cfslb_snapshot_header {
	__le32 magic;
	__le32 abi;
	__le32 header_size;	/* bytes; the table directory starts here */
	__le32 table_size;	/* bytes of one entry of the directory */
	__le32 nr_tables;
	__le32 nr_cpus;
	__le32 nr_nodes;
	__le32 nr_reasons;
	__le64 file_size;	/* bytes */
	__le64 epoch;
	__le64 t_ns;		/* the scheduler's clock */
	__le64 epoch_ns;	/* t_ns when this epoch began */
	char kernel[64];	/* release */
};

#endif
