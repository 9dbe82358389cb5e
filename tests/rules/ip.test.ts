import { describe, expect, it, vi } from "vitest";
import { clientIp, rateLimitCounters } from "@/lib/platform/api/guard";
import { ipGroup, networkPrefix } from "@/lib/platform/http/ip";
import { ipCounter } from "@/lib/platform/rate-limit";

describe("ipGroup", () => {
  it("counts every address of an IPv6 /64 network as one client", () => {
    const spellings = [
      "2001:db8::1",
      "2001:db8::2",
      "2001:db8:0:0:ffff::",
      "2001:0DB8:0000:0000::9",
      "[2001:DB8::a]",
      "[2001:db8::b]:4711",
      '"[2001:db8::c]:4711"',
      "2001:db8::d%eth0",
      "[2001:db8::e%25eth0]:80",
      " 2001:db8::f ",
    ];
    for (const ip of spellings) expect([ip, ipGroup(ip)]).toEqual([ip, "2001:db8::/64"]);
    expect(ipGroup("2001:db8:0:1::1")).toBe("2001:db8:0:1::/64");
  });

  it("counts IPv4 addresses one by one, even when they are mapped into IPv6", () => {
    const spellings = [
      "192.0.2.7",
      "192.0.2.7:4711",
      "::ffff:192.0.2.7",
      "::FFFF:c000:207",
      "0:0:0:0:0:ffff:192.0.2.7",
      "[::ffff:192.0.2.7]:4711",
    ];
    for (const ip of spellings) expect([ip, ipGroup(ip)]).toEqual([ip, "192.0.2.7"]);
    expect(ipGroup("::ffff:192.0.2.8")).toBe("192.0.2.8");
  });

  it("counts all text that is not an address as one client", () => {
    for (const text of ["unknown", "", "_hidden", "2001:db8::1::2", "example.com", "1.2.3", "[2001:db8::1"])
      expect(ipGroup(text)).toBe("unknown");
  });
});

it("no variable of the environment raises a limit", () => {
  vi.stubEnv("RATE_LIMIT_IP_SCALE", "1000");
  expect(ipCounter("call", "192.0.2.7", 20, 60).limit).toBe(20);
  vi.unstubAllEnvs();
});

it("every counter per address counts its group", () => {
  const spellings = ["2001:db8::1", "[2001:DB8::2]:80", "2001:db8::3%1"];
  const who = spellings.map((ip) => ipCounter("call", ip, 1, 1).who);
  expect(new Set(who).size).toBe(1);
  const guest = { kind: "guest", locale: "en" } as const;
  const rate = [{ limit: 1, seconds: 1, by: "ip" as const }];
  const counters = spellings.flatMap((ip) => rateLimitCounters({ path: "/x", write: true, rate }, guest, ip));
  expect(new Set(counters.map((counter) => counter.who)).size).toBe(1);
});

it("networkPrefix reads the same spellings", () => {
  for (const ip of ["2001:db8:1:2::3", "[2001:DB8:1::]:80", "2001:db8:1::3%eth0"])
    expect(networkPrefix(ip)).toBe("2001:db8:1::");
  for (const ip of ["192.0.2.7", "::ffff:192.0.2.9", "192.0.2.7:80"])
    expect(networkPrefix(ip)).toBe("192.0.2.0");
  expect(networkPrefix("unknown")).toBeNull();
});

it("clientIp returns the first entry of x-forwarded-for in normal form", () => {
  const ipFrom = (value?: string) => clientIp(new Headers(value ? { "x-forwarded-for": value } : {}));
  expect(ipFrom("::ffff:192.0.2.7")).toBe("192.0.2.7");
  expect(ipFrom("2001:DB8:0:0::1, 192.0.2.1")).toBe("2001:db8::1");
  expect(ipFrom()).toBe("unknown");
});
