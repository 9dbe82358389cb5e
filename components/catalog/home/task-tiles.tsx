import { useTranslations } from "next-intl";
import { Section } from "@/components/catalog/section";
import { TASKS } from "@/lib/catalog/rules-tasks";
import { TaskGrid } from "./task-grid";

/** Common tasks. Each tile links to the passes for it. */
export function TaskTiles() {
  const t = useTranslations("catalog.tasks");
  return (
    <Section id="tasks" title={t("title")}>
      <TaskGrid tasks={TASKS.map((task) => ({ task, text: t(`${task}.text`), query: t(`${task}.query`) }))} />
    </Section>
  );
}
