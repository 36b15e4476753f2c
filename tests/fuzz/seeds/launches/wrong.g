MemcpyHtoD,xyz
kernel
other
