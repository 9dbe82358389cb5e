import type { MetadataRoute } from "next";
import { env } from "@/lib/platform/env";

// The operator's name is known at run time, not at build time.
export const dynamic = "force-dynamic";

/** The web app manifest, used when the shop is added to a home screen. */
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
