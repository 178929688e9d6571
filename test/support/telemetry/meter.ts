/** Collects what the SDK of OpenTelemetry has received, by metric and attributes. */
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { openTelemetry } from "../../../adapters/telemetry/opentelemetry.ts";

export function openMeter() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 31 - 1 });
  const provider = new MeterProvider({ readers: [reader] });
  return {
    telemetry: openTelemetry({ meter: provider.getMeter("test") }),

    /** Returns the value of each series; the number of values of a histogram. */
    async collect(): Promise<Readonly<Record<string, number>>> {
      await reader.forceFlush();
      const metrics =
        exporter
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
      return Object.fromEntries(
        metrics.flatMap(({ descriptor, dataPoints }) =>
          dataPoints.map(({ attributes, value }) => [
            [descriptor.name, ...Object.values(attributes)].join(" "),
            typeof value === "number" ? value : value.count,
          ]),
        ),
      );
    },

    close: () => provider.shutdown(),
  };
}
