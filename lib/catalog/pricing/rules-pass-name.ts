import { PASS_DAYS, type PassType } from "@/lib/catalog/rules";

export type PassName =
  | { key: `catalog.pass_type.${PassType}`; values: Record<string, never> }
  | { key: "catalog.pass_days"; values: { days: number } };

/**
 * The message key of a pass's name: "Day pass", "Month pass", or "3-day pass" for other lengths. Use: `t(name.key,
 * name.values)`.
 */
export function passNameKey(plan: { vip_type: PassType; duration_days: number | null }): PassName {
  const { vip_type: type, duration_days: days } = plan;
  if (days === null || days === PASS_DAYS[type]) return { key: `catalog.pass_type.${type}`, values: {} };
  return { key: "catalog.pass_days", values: { days } };
}
