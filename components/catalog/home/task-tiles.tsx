import { useTranslations } from "next-intl";
import { Section } from "@/components/catalog/section";
import { Link } from "@/components/ui/link";
import { TASKS } from "@/lib/catalog/rules-tasks";
import { TaskGrid } from "./task-grid";

/** Common tasks. Each tile links to the passes for it. */
export function TaskTiles() {
  const t = useTranslations("catalog.tasks");
  return (
    <Section id="tasks" title={t("title")}>
      <TaskGrid tasks={TASKS.map((task) => ({ task, text: t(`${task}.text`), query: t(`${task}.query`) }))} />
      <p className="pt-3">
        <Link href="/plan" className="text-link inline-flex min-h-11 items-center">
          {useTranslations("agents.plan")("home_link")}
        </Link>
      </p>
    </Section>
  );
}
