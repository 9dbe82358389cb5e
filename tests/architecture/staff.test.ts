import { describe, expect, it } from "vitest";
import { MERCHANT_PERMISSIONS } from "@/lib/merchants/rules";
import { isMerchantAccess, isStaffAccess } from "@/lib/platform/api/declaration";
import { PERMISSIONS, type Permission, permissionRule } from "@/lib/platform/auth/permissions";
import { APPROVAL_KINDS } from "@/lib/staff/rules";
import { apiRoutes } from "@/scripts/write-openapi";
import { repository } from "./repository";

const routes = await apiRoutes();
const staffCalls = routes.flatMap(({ path, method, handler }) => {
  const { access, body } = handler.declaration;
  return isStaffAccess(access) ? [{ name: `${method} ${path}`, path, method, access, body }] : [];
});

describe("the permission table", () => {
  it("holds only permissions that a call, an approval or a function uses", () => {
    const inside = repository.files
      .filter((path) => /^lib\/(?!platform\/)/.test(path) && !/\/(contract|rules|seo|jobs)[^/]*$/.test(path))
      .flatMap((path) =>
        [...repository.read(path).matchAll(/mayStaff\([^,]+, "([^"]+)"\)/g)].map(([, name]) => name),
      );
    const used = [
      ...staffCalls.map(({ access }) => access.permission),
      ...Object.values(APPROVAL_KINDS),
      ...inside,
    ];
    expect(
      (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => !used.includes(permission)),
    ).toEqual([]);
  });

  it("is followed by the calls that change something", () => {
    const wrong = staffCalls.filter(({ method, access }) => {
      const rule = access.permission && permissionRule(access.permission as Permission);
      return rule && method !== "GET" && rule.reauthenticated && !access.reauthenticated;
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it("has a call for everything that needs a second person, and none for anything else", () => {
    const declared = routes.flatMap(({ handler }) => handler.declaration.approval?.kinds ?? []);
    expect([...new Set(declared)].sort()).toEqual(Object.keys(APPROVAL_KINDS).sort());
  });

  it("guards every call under /admin, except the two that shoppers use", () => {
    const open = routes.filter(
      ({ path, handler }) => path.startsWith("/admin/") && !isStaffAccess(handler.declaration.access),
    );
    expect(open.map(({ path }) => path)).toEqual(["/admin/order/detail", "/admin/product-image/[id]"]);
  });
});

describe("the permission table of merchants", () => {
  const merchantCalls = routes.flatMap(({ path, handler: { declaration } }) =>
    isMerchantAccess(declaration.access) ? [{ path, access: declaration.access }] : [],
  );

  it("holds only permissions that a call uses", () => {
    const used = merchantCalls.map(({ access }) => access.permission);
    expect(Object.keys(MERCHANT_PERMISSIONS).filter((permission) => !used.includes(permission))).toEqual([]);
  });

  it("guards every call under /merchant", () => {
    const paths = routes.map(({ path }) => path).filter((path) => path.startsWith("/merchant/"));
    const open = paths.filter((path) => !merchantCalls.some((call) => call.path === path));
    expect(open).toEqual(["/merchant/openapi.json"]);
  });
});
