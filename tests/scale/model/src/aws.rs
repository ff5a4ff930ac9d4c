//! The constants of AWS, each with the page that states it. `tests/scale/run model --constants` prints them.

/// A constant of AWS.
#[derive(Debug)]
pub struct Constant {
    /// What it limits.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
    /// The unit of the value.
    pub unit: &'static str,
    /// The page of AWS that states it, or why it is assumed.
    pub source: &'static str,
}

macro_rules! constants {
    ($($name:ident: $what:literal, $value:literal, $unit:literal, $source:expr;)*) => {
        $(
            #[doc = $what]
            pub const $name: f64 = $value;
        )*
        /// All constants.
        pub const ALL: &[Constant] = &[
            $(Constant { what: $what, value: $name, unit: $unit, source: $source },)*
        ];
    };
}

/// Stands before what AWS does not publish.
const ASSUMED: &str = "assumed: AWS publishes no figure";

const PARTITIONS: &str =
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";
const ON_DEMAND: &str =
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html";
const WARM: &str = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html";
const TABLE_QUOTAS: &str =
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html";
const AUTO_SCALING: &str = "https://repost.aws/knowledge-center/dynamodb-auto-scaling";
const BURSTS: &str =
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html";
const LAMBDA_SCALING: &str = "https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html";
const LAMBDA_LIMITS: &str =
    "https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html";
const LAMBDA_MEMORY: &str =
    "https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html";
const SQS_SCALING: &str = "https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html";
const SQS_FASTER: &str = "https://aws.amazon.com/blogs/compute/introducing-faster-polling-scale-up-for-aws-lambda-functions-configured-with-amazon-sqs/";
const SQS_QUOTAS: &str =
    "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html";
const STREAM: &str = "https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html";
const S3: &str =
    "https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html";

constants! {
    PARTITION_WRITES: "Write units of a partition", 1000.0, "a second", PARTITIONS;
    PARTITION_READS: "Read units of a partition", 3000.0, "a second", PARTITIONS;
    SPLIT_AFTER: "Heat until a partition is split, where its sort keys are spread", 600.0, "seconds", ASSUMED;
    NEW_TABLE_WRITES: "Write units of a new on-demand table", 4000.0, "a second", WARM;
    NEW_TABLE_READS: "Read units of a new on-demand table", 12000.0, "a second", WARM;
    PEAK_FACTOR: "Throughput that a table takes, as a multiple of its earlier peak", 2.0, "", ON_DEMAND;
    PEAK_AGE: "Age of that peak", 1800.0, "seconds", ON_DEMAND;
    BURST: "Unused provisioned capacity that a table keeps for a burst", 300.0, "seconds", BURSTS;
    SCALE_TARGET: "Share of the capacity that auto scaling aims at (template.yaml)", 0.7, "", AUTO_SCALING;
    SCALE_OUT_AFTER: "Minutes above it until the capacity is raised", 2.0, "minutes", AUTO_SCALING;
    SCALE_IN_BELOW: "Share of the capacity below which it is lowered", 0.5, "", AUTO_SCALING;
    SCALE_IN_AFTER: "Minutes below that until it is lowered", 15.0, "minutes", AUTO_SCALING;
    DECREASES: "Decreases in a day at any time; further ones once an hour", 4.0, "", TABLE_QUOTAS;
    TABLE_WRITES: "Write units of a table, and of each index, default quota", 40000.0, "a second", TABLE_QUOTAS;
    TABLE_READS: "Read units of a table, and of each index, default quota", 40000.0, "a second", TABLE_QUOTAS;
    STREAM_POLL: "Time between two polls of a shard of a stream", 0.25, "seconds", STREAM;
    CONCURRENCY: "Executions of an account, default quota", 1000.0, "", LAMBDA_LIMITS;
    ENVIRONMENTS: "New execution environments of a function", 100.0, "a second", LAMBDA_SCALING;
    ENVIRONMENTS_AT_ONCE: "New execution environments of a function at once", 1000.0, "", LAMBDA_SCALING;
    VCPU: "Memory with one vCPU", 1769.0, "MB", LAMBDA_MEMORY;
    COLD_START: "Start of an environment, with the first connections", 0.35, "seconds", ASSUMED;
    KEPT_WARM: "Time that an idle environment is kept", 600.0, "seconds", ASSUMED;
    POLLERS: "Batches at once of a queue that becomes active", 5.0, "", SQS_SCALING;
    POLLERS_MORE: "Further batches at once of a queue", 5.0, "a second", SQS_SCALING;
    POLLERS_MOST: "Most batches at once of a queue", 1250.0, "", SQS_FASTER;
    IN_FLIGHT: "Messages in flight of a queue", 120000.0, "", SQS_QUOTAS;
    QUEUE_DELAY: "Longest delay of a message", 900.0, "seconds", SQS_QUOTAS;
    PREFIX_PUTS: "PUTs of a prefix", 3500.0, "a second", S3;
    PREFIX_GETS: "GETs of a prefix", 5500.0, "a second", S3;
    PREFIX_SPLIT: "Load until S3 doubles the prefixes", 900.0, "seconds", ASSUMED;
    OBJECT: "Median of a request for a small object", 0.1, "seconds", S3;
    OBJECT_P99: "The slowest of 100 such requests", 0.2, "seconds", S3;
    ITEM: "Median of a read or write of an item", 0.005, "seconds", "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Introduction.html (single-digit milliseconds)";
    TRANSACTION: "Median of a transaction", 0.015, "seconds", ASSUMED;
    LOST_MESSAGES: "Messages that a queue loses", 0.0000001, "a message", ASSUMED;
    DEATHS: "Executions that end without a result", 0.00001, "an execution", ASSUMED;
}
