"""All-to-all on a fat tree as a file of listed flows (tests/bench/listed_paths.h), where no SimGrid writes one.

Three levels, m hosts on a leaf, m leaves and m spines in a pod, m pods, m * m cores: m^3 hosts, full bisection. The
way up is chosen by the destination (D-mod-k): the leaf's port is d mod m, the spine's (d / m) mod m; the way down is
the only one there is. Every host sends to all others at once, so each host's own link carries m^3 - 1 flows, no link
above it carries more, and all flows finish together after (m^3 - 1) * bytes / bandwidth.
"""
BANDWIDTH = 50_000_000_000


def write_all_to_all(file, m, size):
    hosts = m**3
    # Links by kind, all up before all down: host-leaf by host, leaf-spine by (leaf, port), spine-core by (spine, port).
    up_host, up_leaf, up_spine = 0, hosts, 2 * hosts
    down = 3 * hosts

    def path(src, dst):
        leaf, spine_port, core_port = m, dst % m, dst // m % m
        links = [up_host + src]
        if src // leaf != dst // leaf:
            links.append(up_leaf + src // leaf * m + spine_port)
            if src // (m * m) != dst // (m * m):
                spine = src // (m * m) * m + spine_port
                links.append(up_spine + spine * m + core_port)
                links.append(down + up_spine + (dst // (m * m) * m + spine_port) * m + core_port)
            links.append(down + up_leaf + dst // leaf * m + spine_port)
        links.append(down + up_host + dst)
        return links

    with open(file, "w", encoding="ascii") as out:
        out.write(f"program shot\nsteps 1\nbytes {size}\nlinks {6 * hosts}\n")
        out.write(f"{BANDWIDTH}\n" * (6 * hosts))
        out.write(f"flows {hosts * (hosts - 1)}\n")
        for src in range(hosts):
            for k in range(1, hosts):
                links = path(src, (src + k) % hosts)
                out.write(f"{len(links)} {' '.join(map(str, links))}\n")


def finish_seconds(m, size):
    return (m**3 - 1) * size / BANDWIDTH
