"use client";

import { useTranslations } from "next-intl";
import { Dialog } from "@/components/ui/dialog";

type Props = {
  open: boolean;
  actions: readonly { key?: "a" | "r"; label: string }[];
  hasBulk: boolean;
  goTo: Readonly<Record<string, string>>;
  onClose: () => void;
};

/** The keys of a list. */
export function KeysDialog({ open, actions, hasBulk, goTo, onClose }: Props) {
  const t = useTranslations("console.table");
  const keys: [string, string][] = [
    ["j", t("key.j")],
    ["k", t("key.k")],
    ["o", t("key.o")],
    ["Enter", t("key.enter")],
    ...(hasBulk ? [["x", t("key.x")] as [string, string]] : []),
    ...actions.flatMap(({ key, label }) => (key ? [[key, label] as [string, string]] : [])),
    ["/", t("key.slash")],
    ...(Object.keys(goTo).length > 0
      ? [[`g ${Object.keys(goTo).join(" ")}`, t("key.go")] as [string, string]]
      : []),
    ["?", t("key.help")],
  ];
  return (
    <Dialog open={open} onClose={onClose} title={t("keys")} closeLabel={t("close")}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        {keys.map(([key, meaning]) => (
          <div key={key + meaning} className="contents">
            <dt>
              <kbd className="rounded-small border border-control px-1.5 font-mono text-13">{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
