"""A test of the example for Ray Data on the page about Python; skipped if Ray is not installed."""

import importlib.util
import os
import sys
import tempfile
import unittest

import pyarrow

import emblemkit
import support


def emblems(table: pyarrow.Table) -> pyarrow.Table:
    with emblemkit.Stream(table, layout="small", cache="none", jobs=1) as stream:
        return pyarrow.Table.from_pylist(
            [{"id": result.id, "image": result.images[0].data} for result in stream]
        )


@unittest.skipUnless(importlib.util.find_spec("ray"), "ray is not installed")
class Ray(unittest.TestCase):
    def test_a_ray_data_set_becomes_a_data_set_of_emblems(self) -> None:
        import ray

        logos = support.pictures("logos", "png")
        table = pyarrow.Table.from_pylist([{"source": str(logos[n % 4])} for n in range(40)])
        variables = {"EMBLEM_PROGRAM": support.EMBLEM, "PYTHONPATH": os.pathsep.join(sys.path)}
        with tempfile.TemporaryDirectory(prefix="ray-") as folder:
            ray.init(
                num_cpus=2,
                include_dashboard=False,
                _temp_dir=folder,
                runtime_env={"env_vars": variables},
            )
            try:
                data = ray.data.from_arrow(table).repartition(4)
                rows = data.map_batches(emblems, batch_format="pyarrow", batch_size=10).take_all()
            finally:
                ray.shutdown()
        self.assertEqual({row["id"] for row in rows}, {logo.stem for logo in logos})
        self.assertEqual(len(rows), 40)
        self.assertTrue(all(row["image"].startswith(b"\x89PNG") for row in rows))


if __name__ == "__main__":
    unittest.main()
