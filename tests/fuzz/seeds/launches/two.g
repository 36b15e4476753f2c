MemcpyHtoD,0x7f0000000000,4096
kernel-1.traceg
kernel-2.traceg 
