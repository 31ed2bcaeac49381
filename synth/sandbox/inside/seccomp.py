"""System calls that generated code has no use for are taken away from the process, for good.

The filter is loaded by the process itself, before any generated code: no new processes, no programs, no sockets but
Unix ones, no memory that the limits do not count, nothing of the kernel's administration.
"""

from __future__ import annotations

import ctypes
import platform
import struct

# Numbers on x86_64 and aarch64 (None: it has no such call).
_REFUSED: dict[str, tuple[int, int | None]] = {
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "mount": (165, 40),
    "umount2": (166, 39),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "chroot": (161, 51),
    "pivot_root": (155, 41),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "personality": (135, 92),
    "quotactl": (179, 60),
    "syslog": (103, 116),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
    "acct": (163, 89),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
}

# AUDIT_ARCH, then the numbers of clone, clone3, socket, socketpair and seccomp.
_MACHINES: dict[str, tuple[int, int, int, int, int, int]] = {
    "x86_64": (0xC000003E, 56, 435, 41, 53, 317),
    "aarch64": (0xC00000B7, 220, 435, 198, 199, 277),
}

_X32 = 0x40000000
_CLONE_THREAD = 0x00010000
_AF_UNIX = 1
_EPERM, _ENOSYS = 1, 38

_ALLOW = 0x7FFF0000
_KILL = 0x80000000
_ERRNO = 0x00050000

# Loads a word of struct seccomp_data; jumps if equal, if at least, if a bit is set; returns.
_LOAD, _EQUAL, _AT_LEAST, _BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16

_NO_NEW_PRIVILEGES = 38
_SET_FILTER, _ALL_THREADS = 1, 1


def supported() -> bool:
    """Whether the system calls of this machine are known."""
    return platform.machine() in _MACHINES


def program() -> bytes:
    """The filter for this machine, as instructions of the kernel's packet filter."""
    architecture, clone, clone3, socket, socketpair, _ = _MACHINES[platform.machine()]
    column = list(_MACHINES).index(platform.machine())

    def instruction(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
        return struct.pack("HBBI", code, yes, no, value)

    def answered(error: int) -> bytes:
        return instruction(_RETURN, _ERRNO | error)

    parts = [
        instruction(_LOAD, _ARCHITECTURE),
        instruction(_EQUAL, architecture, 1, 0),
        instruction(_RETURN, _KILL),
        instruction(_LOAD, _NUMBER),
    ]
    if column == 0:
        parts += [instruction(_AT_LEAST, _X32, 0, 1), instruction(_RETURN, _KILL)]
    for numbers in _REFUSED.values():
        if (number := numbers[column]) is not None:
            parts += [instruction(_EQUAL, number, 0, 1), answered(_EPERM)]
    # Its flags lie in memory, where a filter cannot look: the C library then takes clone instead.
    parts += [instruction(_EQUAL, clone3, 0, 1), answered(_ENOSYS)]
    parts += [
        instruction(_EQUAL, clone, 0, 4),
        instruction(_LOAD, _FIRST_ARGUMENT),
        instruction(_BIT, _CLONE_THREAD, 1, 0),
        answered(_EPERM),
        instruction(_RETURN, _ALLOW),
    ]
    for number in (socket, socketpair):
        parts += [
            instruction(_EQUAL, number, 0, 4),
            instruction(_LOAD, _FIRST_ARGUMENT),
            instruction(_EQUAL, _AF_UNIX, 1, 0),
            answered(_EPERM),
            instruction(_RETURN, _ALLOW),
        ]
    parts.append(instruction(_RETURN, _ALLOW))
    return b"".join(parts)


def install() -> None:
    """Put the filter on every thread of this process; it cannot be taken off.

    Raises:
        OSError: the kernel refuses.
    """
    code = program()
    buffer = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))

    given = Program(len(code) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)
    for done in (
        libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0),
        libc.syscall(_MACHINES[platform.machine()][5], _SET_FILTER, _ALL_THREADS, ctypes.byref(given)),
    ):
        if done != 0:
            raise OSError(ctypes.get_errno(), "the kernel does not take the filter of system calls")
