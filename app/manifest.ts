import type { MetadataRoute } from "next";
import { env } from "@/lib/platform/env";

// The name is the operator's, known when the server runs and not when it is built.
export const dynamic = "force-dynamic";

/** For those who put the shop on their phone's first screen. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    name: env().APP_NAME,
    short_name: env().APP_NAME,
    start_url: "/",
    display: "standalone",
    background_color: "#fbf9f4",
    theme_color: "#fbf9f4",
    icons: [
      { src: "/icon-192.png", sizes: "192x192", type: "image/png", purpose: "any" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
}
