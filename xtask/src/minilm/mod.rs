//! Rebuilds all-MiniLM-L6-v2 so that it computes in int8 as well as being stored in it.
//!
//! The published graph keeps int8 weights with one scale per column, and casts them to float before each product. The rebuilt one hands the
//! same weights and scales to ONNX Runtime's fused operators: query, key and value in one `DynamicQuantizeMatMul`, then
//! `MultiHeadAttention`, `BiasGelu` and `LayerNormalization`. It is about 2.5 times as fast on a CPU; the cosine to the published
//! model's vectors is about 0.994.
//!
//! Inputs: `input_ids`, `attention_mask` (int64, `[batch, sequence]`). Output: `last_hidden_state` (float32, `[batch, sequence, 384]`), to
//! be mean-pooled under the mask and L2-normalised.

mod builder;
mod onnx;
mod weights;

use anyhow::{Context, bail};
use prost::Message;

use builder::{Graph, attribute};
use onnx::{DataType, Model, OperatorSet, ValueInfo};
use weights::Weights;

const LAYERS: usize = 6;
const HEADS: i64 = 12;
const WIDTH: i64 = 384;
/// The domain of ONNX Runtime's own operators.
const MICROSOFT: &str = "com.microsoft";
/// Quantised products in each layer: query, key, value, attention output, intermediate, output.
const PRODUCTS: usize = 6;

/// The rebuilt model's file, byte for byte the same for the same input.
pub(crate) fn fuse(input: &[u8]) -> anyhow::Result<Vec<u8>> {
    let model = Model::decode(input).context("the embedding model is not an ONNX file")?;
    let graph = model.graph.context("the embedding model has no graph")?;
    let weights = Weights::of(&graph.initializer);
    let products: Vec<&str> = graph
        .node
        .iter()
        .filter(|node| node.op_type == "MatMul")
        .filter_map(|node| node.input.get(1))
        .map(String::as_str)
        .filter(|name| weights.has_quantised(name))
        .collect();
    if products.len() != PRODUCTS * LAYERS {
        bail!(
            "expected {} quantised products, found {}: not the model this is for",
            PRODUCTS * LAYERS,
            products.len()
        );
    }
    let mut fusion = Fusion {
        weights,
        graph: Graph::default(),
    };
    let mut x = fusion.embeddings()?;
    for (layer, names) in products.chunks(PRODUCTS).enumerate() {
        x = fusion.layer(layer, names, &x)?;
    }
    let inputs = ["input_ids", "attention_mask"]
        .map(|name| ValueInfo::new(name, DataType::Int64, &["batch", "sequence"], &[]))
        .to_vec();
    let output = ValueInfo::new("last_hidden_state", DataType::Float, &["batch", "sequence"], &[WIDTH]);
    let fused = Model {
        ir_version: 9,
        graph: Some(fusion.graph.finish("all-MiniLM-L6-v2 int8", inputs, vec![output])),
        opset_import: vec![OperatorSet::new("", 18), OperatorSet::new(MICROSOFT, 1)],
    };
    Ok(fused.encode_to_vec())
}

struct Fusion<'a> {
    weights: Weights<'a>,
    graph: Graph,
}

impl Fusion<'_> {
    /// Word, position and type embeddings, normalised. Each method returns the name of the tensor it makes.
    fn embeddings(&mut self) -> anyhow::Result<String> {
        let prefix = "inner.embeddings.";
        let graph = &mut self.graph;
        graph.node(
            "Cast",
            &["attention_mask"],
            &["mask32"],
            "",
            vec![attribute::int("to", DataType::Int32 as i64)],
        );
        let words = self.weights.tensor(&format!("{prefix}word_embeddings.weight_q"))?;
        let words = graph.copy("word", words);
        graph.node("Gather", &[&words, "input_ids"], &["word8"], "", vec![]);
        graph.node(
            "Cast",
            &["word8"],
            &["word_f"],
            "",
            vec![attribute::int("to", DataType::Float as i64)],
        );
        let scales = self.weights.tensor(&format!("{prefix}word_embeddings.weight_scale"))?;
        let scales = graph.copy("word_scale", scales);
        graph.node("Gather", &[&scales, "input_ids"], &["word_s"], "", vec![]);
        graph.node("Mul", &["word_f", "word_s"], &["word_e"], "", vec![]);
        graph.node(
            "Shape",
            &["input_ids"],
            &["length"],
            "",
            vec![attribute::int("end", 2), attribute::int("start", 1)],
        );

        // Only one type of token is ever given, so its embedding belongs to every position's.
        let mut positions = self
            .weights
            .dequantised_rows(&format!("{prefix}position_embeddings.weight"))?;
        let types = self.weights.floats(&format!("{prefix}token_type_embeddings.weight"))?;
        let width = usize::try_from(WIDTH)?;
        for row in positions.values.chunks_mut(width) {
            for (value, addend) in row.iter_mut().zip(&types[..width]) {
                *value += addend;
            }
        }
        let positions = graph.floats("positions", &positions.dims, &positions.values);
        let zero = graph.int64s("zero", &[0]);
        let axis = graph.int64s("axis", &[0]);
        graph.node(
            "Slice",
            &[&positions, &zero, "length", &axis],
            &["position_e"],
            "",
            vec![],
        );
        graph.node("Add", &["word_e", "position_e"], &["embedded"], "", vec![]);
        self.normalise("embedded", &format!("{prefix}LayerNorm"), "x0")
    }

    /// One transformer layer over `x`.
    fn layer(&mut self, layer: usize, products: &[&str], x: &str) -> anyhow::Result<String> {
        let prefix = format!("inner.encoder.layer.{layer}.");
        let name = |part: &str| format!("L{layer}_{part}");

        let mut bias = Vec::new();
        for part in ["query", "key", "value"] {
            bias.extend(self.weights.floats(&format!("{prefix}attention.self.{part}.bias"))?);
        }
        let together = self.linear(x, &products[..3], Some(&bias), &name("qkv"))?;
        let (query, key, value) = (name("q"), name("k"), name("v"));
        let split = vec![attribute::int("axis", -1), attribute::int("num_outputs", 3)];
        self.graph
            .node("Split", &[&together], &[&query, &key, &value], "", split);
        let attended = name("attended");
        let heads = vec![attribute::int("num_heads", HEADS)];
        self.graph.node(
            "MultiHeadAttention",
            &[&query, &key, &value, "", "mask32"],
            &[&attended],
            MICROSOFT,
            heads,
        );

        let bias = self.weights.floats(&format!("{prefix}attention.output.dense.bias"))?;
        let projected = self.linear(&attended, &products[3..4], Some(&bias), &name("out"))?;
        let residual = name("residual1");
        self.graph.node("Add", &[&projected, x], &[&residual], "", vec![]);
        let y = self.normalise(&residual, &format!("{prefix}attention.output.LayerNorm"), &name("y"))?;

        let up = self.linear(&y, &products[4..5], None, &name("up"))?;
        let bias = self.weights.tensor(&format!("{prefix}intermediate.dense.bias"))?;
        let bias = self.graph.copy(&name("up_bias"), bias);
        let gelu = name("gelu");
        self.graph.node("BiasGelu", &[&up, &bias], &[&gelu], MICROSOFT, vec![]);

        let bias = self.weights.floats(&format!("{prefix}output.dense.bias"))?;
        let down = self.linear(&gelu, &products[5..6], Some(&bias), &name("down"))?;
        let residual = name("residual2");
        self.graph.node("Add", &[&down, &y], &[&residual], "", vec![]);
        let last = layer + 1 == LAYERS;
        let output = if last {
            "last_hidden_state".to_owned()
        } else {
            name("x")
        };
        self.normalise(&residual, &format!("{prefix}output.LayerNorm"), &output)
    }

    /// `x` times the named quantised matrices, side by side, plus the bias.
    fn linear(&mut self, x: &str, names: &[&str], bias: Option<&[f32]>, output: &str) -> anyhow::Result<String> {
        let matrix = self.weights.side_by_side(names)?;
        let columns = matrix.scales.len();
        let part = |suffix: &str| format!("{output}_{suffix}");
        let weights = self.graph.int8s(&part("W"), &matrix.dims, matrix.values);
        let scales = self
            .graph
            .floats(&part("s"), &[i64::try_from(columns)?], &matrix.scales);
        let zeros = self
            .graph
            .int8s(&part("z"), &[i64::try_from(columns)?], vec![0; columns]);
        let mut inputs = vec![x.to_owned(), weights, scales, zeros];
        if let Some(bias) = bias {
            inputs.push(self.graph.floats(&part("b"), &[i64::try_from(bias.len())?], bias));
        }
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        self.graph
            .node("DynamicQuantizeMatMul", &inputs, &[output], MICROSOFT, vec![]);
        Ok(output.to_owned())
    }

    fn normalise(&mut self, x: &str, prefix: &str, output: &str) -> anyhow::Result<String> {
        let gain = self.weights.tensor(&format!("{prefix}.weight"))?;
        let gain = self.graph.copy(&format!("{output}_g"), gain);
        let bias = self.weights.tensor(&format!("{prefix}.bias"))?;
        let bias = self.graph.copy(&format!("{output}_n"), bias);
        let attributes = vec![attribute::int("axis", -1), attribute::float("epsilon", 1e-12)];
        self.graph
            .node("LayerNormalization", &[x, &gain, &bias], &[output], "", attributes);
        Ok(output.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnx::{GraphProto, NodeProto};

    #[test]
    fn another_model_is_refused() {
        let node = NodeProto {
            op_type: "MatMul".to_owned(),
            input: vec!["a".into(), "b".into()],
            ..NodeProto::default()
        };
        let graph = GraphProto {
            node: vec![node],
            ..GraphProto::default()
        };
        let model = Model {
            ir_version: 9,
            graph: Some(graph),
            opset_import: Vec::new(),
        };
        let error = fuse(&model.encode_to_vec()).expect_err("it has no quantised products");
        assert!(
            error.to_string().contains("expected 36 quantised products, found 0"),
            "{error}"
        );
    }

    #[test]
    fn bytes_that_are_no_model_are_refused() {
        assert!(fuse(b"\xff\xff\xff\xff").is_err());
    }
}
