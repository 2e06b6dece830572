"""`python -m bench.scale`: the figures of docs/operations.md, one after the other; each can be run by itself."""

from bench import api, keys, partitions, pooler, sizes, standby


def main() -> None:
    keys.main()
    sizes.main([])
    api.main([])
    pooler.main([])
    standby.main([])
    partitions.main([])


if __name__ == "__main__":
    main()
