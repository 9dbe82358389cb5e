"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { ErrorNotice } from "@/components/ui/notice";

/** Asks before an action, and lists what it will do before anything is pressed. */
export function EffectsDialog({
  open,
  title,
  effects,
  confirm,
  danger = false,
  dismiss,
  pending,
  problem,
  onConfirm,
  onClose,
  children,
}: {
  open: boolean;
  title: string;
  effects: readonly string[];
  /** The name of the action, on its button. */
  confirm: string;
  /** The action takes something away: its button is red. */
  danger?: boolean;
  /** The name of the way out, where "Cancel" reads like the action. */
  dismiss?: string;
  pending: boolean;
  problem: string;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const t = useTranslations("console.table");
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      closeLabel={t("close")}
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            {dismiss ?? t("cancel")}
          </Button>
          <Button
            look={danger ? "danger" : "primary"}
            pending={pending}
            onClick={(event) => event.detail < 2 && onConfirm()}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <EffectList effects={effects} />
      {children}
      <ErrorNotice>{problem}</ErrorNotice>
    </Dialog>
  );
}

/** What an action will do. */
export function EffectList({ effects }: { effects: readonly string[] }) {
  const t = useTranslations("console.table");
  return (
    <div>
      <p className="text-quiet">{t("effects")}</p>
      <ul className="flex flex-col gap-1.5 pt-2">
        {effects.map((effect) => (
          <li key={effect} className="flex gap-2">
            <Icon name="right" size={16} className="mt-1 text-quiet" />
            {effect}
          </li>
        ))}
      </ul>
    </div>
  );
}
