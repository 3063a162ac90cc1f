// Bundles src/*.js with the libraries they use into static/vendor, licences beside them, and writes
// the coast lines of the map (Natural Earth 1:50m, public domain) as rings of degrees.
import { build } from "esbuild";
import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { feature } from "topojson-client";

const target = "static/vendor";
await rm(target, { recursive: true, force: true });
await build({
  entryPoints: ["src/viewer.js"],
  outdir: target,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2020"],
  legalComments: "linked",
  logLevel: "warning",
});
await copyFile("node_modules/openseadragon/LICENSE.txt", `${target}/openseadragon.LICENSE.txt`);

const atlas = JSON.parse(await readFile("node_modules/world-atlas/land-50m.json"));
const rings = feature(atlas, atlas.objects.land)
  .features.flatMap((part) => part.geometry.coordinates.flat())
  .map((ring) => ring.map((point) => point.map((degree) => Math.round(degree * 100) / 100)));
await writeFile(`${target}/land.json`, JSON.stringify(rings));
