// Bundles src/*.js with the libraries they use into static/vendor, licences beside them.
import { build } from "esbuild";
import { copyFile, rm } from "node:fs/promises";

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
