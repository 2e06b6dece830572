"""`python -m bench.scale`: runs all benchmarks whose figures are in docs/operations.md."""

from bench import api, partitions, pooler, sizes, standby, tenant_keys


def main() -> None:
    tenant_keys.main()
    sizes.main([])
    api.main([])
    pooler.main([])
    standby.main([])
    partitions.main([])


if __name__ == "__main__":
    main()
