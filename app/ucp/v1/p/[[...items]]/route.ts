import { resolvePermalink } from "@/lib/agents/carts/resolve-permalink";

export const dynamic = "force-dynamic";

/** A permalink of the protocol: it leads a browser to the page that shows these passes, and buys nothing (docs/agents.md). */
export const GET = resolvePermalink;
