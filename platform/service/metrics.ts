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

/** The metrics of one process, in a registry of their own. Names are unique: declare a metric once and pass it on. */
export class Metrics {
  readonly #registry = new Registry();

  counter<Label extends string>(configuration: CounterConfiguration<Label>): Counter<Label> {
    return new Counter({ ...configuration, registers: [this.#registry] });
  }

  gauge<Label extends string>(configuration: GaugeConfiguration<Label>): Gauge<Label> {
    return new Gauge({ ...configuration, registers: [this.#registry] });
  }

  histogram<Label extends string>(configuration: HistogramConfiguration<Label>): Histogram<Label> {
    return new Histogram({ ...configuration, registers: [this.#registry] });
  }

  /** Adds what Node tells of its process: memory, CPU, event loop lag, garbage collection. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Value of Content-Type for what `render` answers. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Everything in the Prometheus text format. */
  async render(): Promise<string> {
    return this.#registry.metrics();
  }
}
