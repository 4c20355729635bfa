// SPDX-License-Identifier: GPL-2.0
/*
 * The file control: one command a write, "level off|0|1|2", "lb on|off" or "mark",
 * with or without a newline at its end. Anything else is -EINVAL and changes
 * nothing. Reading gives the commands that would bring back the present state.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "debugfs.h"
#include "levels.h"

#define LONGEST 16	/* bytes of a command, with the newline */

static int run_locked(const char *command)
{
	int level;

	if (!strcmp(command, "mark"))
		return cfslb_view_mark();
	if (!strcmp(command, "lb on"))
		return cfslb_lb_set(true);
	if (!strcmp(command, "lb off"))
		return cfslb_lb_set(false);
	if (!strncmp(command, "level ", 6) && !cfslb_level_parse(command + 6, &level))
		return cfslb_level_set(level);
	return -EINVAL;
}

static ssize_t control_write(struct file *file, const char __user *from, size_t count,
			     loff_t *pos)
{
	char command[LONGEST + 1] = "";
	int err;

	if (*pos || !count || count > LONGEST)
		return -EINVAL;
	if (copy_from_user(command, from, count))
		return -EFAULT;
	if (command[count - 1] == '\n')
		command[count - 1] = 0;
	else if (!command[count - 1])
		return -EINVAL;
	if (strlen(command) < count - 1)
		return -EINVAL;
	mutex_lock(&cfslb_lock);
	err = run_locked(command);
	mutex_unlock(&cfslb_lock);
	return err ? err : count;
}

static ssize_t control_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	char state[2 * LONGEST];
	int len;

	mutex_lock(&cfslb_lock);
	len = scnprintf(state, sizeof(state), "level %s\nlb %s\n",
			cfslb_level_name(cfslb_level_get()), cfslb_lb_get() ? "on" : "off");
	mutex_unlock(&cfslb_lock);
	return simple_read_from_buffer(to, count, pos, state, len);
}

const struct file_operations cfslb_control_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = control_read,
	.write = control_write,
	.llseek = default_llseek,
};
