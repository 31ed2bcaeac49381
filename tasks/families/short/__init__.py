"""Short tasks, for small models: one to four visits, told over several services or within one."""
