import type { PodMonitor, Probe, ScrapeConfig, ServiceMonitor } from './kinds.js';
import { podMonitorScrapes, serviceMonitorScrapes } from './monitors.js';
import { probeScrape } from './probes.js';
import type { Scrape, ScrapeContext } from './scrape.js';
import { scrapeConfigScrape } from './scrape-configs.js';

/** An object that says what is scraped. */
export type Scraped = ServiceMonitor | PodMonitor | Probe | ScrapeConfig;

/** The scrapes of an object. @throws InvalidObject if Prometheus would refuse one of them, and with it the whole configuration */
export function scrapesOf(object: Scraped, context: ScrapeContext): Scrape[] {
  switch (object.kind) {
    case 'ServiceMonitor':
      return serviceMonitorScrapes(object, context);
    case 'PodMonitor':
      return podMonitorScrapes(object, context);
    case 'Probe':
      return [probeScrape(object, context)];
    case 'ScrapeConfig':
      return [scrapeConfigScrape(object, context)];
  }
}
