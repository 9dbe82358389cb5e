import { LRUCache } from "lru-cache";
import { z } from "zod";
import { plainText } from "@/lib/agents/rules";
import { type FetchOptions, fetchProfile } from "./fetch-profile";

const DAY_MS = 86_400_000;
/** How long after a failure the profile is fetched again. */
const RETRY_MS = 10 * 60_000;

const Profile = z.object({
  name: z.string().max(200).optional(),
  title: z.string().max(200).optional(),
  ucp: z.object({ name: z.string().max(200).optional() }).optional(),
});

const globals = globalThis as typeof globalThis & {
  passlaneAgentProfiles?: LRUCache<string, { label: string | null }>;
};
globals.passlaneAgentProfiles ??= new LRUCache({ max: 500 });
const known = globals.passlaneAgentProfiles;

/**
 * The name of an agent in the profile of its host, for display only; null until it is read, or if there is
 * none. Never waits: the first call starts the fetch, and later calls return the result, which is cached for
 * a day.
 */
export function describeAgent(host: string): string | null {
  const found = known.get(host);
  if (found) return found.label;
  known.set(host, { label: null }, { ttl: RETRY_MS });
  void readProfile(`https://${host}/.well-known/ucp`)
    .then((label) => known.set(host, { label }, { ttl: DAY_MS }))
    .catch(() => {});
  return null;
}

/**
 * Reads the name in a profile.
 * @throws Error for an address, response or size that is not accepted
 */
export async function readProfile(address: string, options: FetchOptions = {}): Promise<string | null> {
  const profile = Profile.parse(JSON.parse((await fetchProfile(address, options)).toString()));
  const label = plainText(profile.title ?? profile.name ?? profile.ucp?.name ?? "").replace(/\s+/g, " ");
  return label === "" ? null : label.slice(0, 60);
}
