import { describe, expect, it } from "vitest";
import { clientIp } from "@/lib/platform/api/guard";
import { ipGroup } from "@/lib/platform/http/ip";

describe("ipGroup", () => {
  it("counts every address of an IPv6 /64 network as one client", () => {
    for (const ip of ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::", "2001:0DB8:0000:0000::9"])
      expect(ipGroup(ip)).toBe("2001:db8::/64");
    expect(ipGroup("2001:db8:0:1::1")).toBe("2001:db8:0:1::/64");
  });

  it("counts IPv4 addresses one by one, also when they are mapped into IPv6", () => {
    for (const ip of ["192.0.2.7", "::ffff:192.0.2.7", "::FFFF:c000:207"])
      expect(ipGroup(ip)).toBe("192.0.2.7");
    expect(ipGroup("::ffff:192.0.2.8")).toBe("192.0.2.8");
  });

  it("keeps text that is no address", () => {
    expect(ipGroup("unknown")).toBe("unknown");
  });
});

it("clientIp returns the first entry of x-forwarded-for in normal form", () => {
  const ipFrom = (value?: string) => clientIp(new Headers(value ? { "x-forwarded-for": value } : {}));
  expect(ipFrom("::ffff:192.0.2.7")).toBe("192.0.2.7");
  expect(ipFrom("2001:DB8:0:0::1, 192.0.2.1")).toBe("2001:db8::1");
  expect(ipFrom()).toBe("unknown");
});
