import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type CounterConfiguration,
  type GaugeConfiguration,
  type HistogramConfiguration,
} from 'prom-client';

/** The metrics of one process, in a separate registry. Names are unique: declare a metric once and pass it on. */
export class Metrics {
  readonly #registry = new Registry();

  counter<Label extends string>(configuration: CounterConfiguration<Label>): Counter<Label> {
    return new Counter({ ...configuration, registers: [this.#registry] });
  }

  gauge<Label extends string>(configuration: GaugeConfiguration<Label>): Gauge<Label> {
    return new Gauge({ ...configuration, registers: [this.#registry] });
  }

  /** Adds a gauge without labels that is read for each scrape. */
  gaugeOf({ name, help }: { name: string; help: string }, read: () => number): void {
    this.gauge({
      name,
      help,
      collect() {
        this.set(read());
      },
    });
  }

  histogram<Label extends string>(configuration: HistogramConfiguration<Label>): Histogram<Label> {
    return new Histogram({ ...configuration, registers: [this.#registry] });
  }

  /** Adds Node's process metrics: memory, CPU, event loop lag, garbage collection. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Content-Type of the result of `render`. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Returns all metrics in the Prometheus text format. */
  async render(): Promise<string> {
    return this.#registry.metrics();
  }
}
