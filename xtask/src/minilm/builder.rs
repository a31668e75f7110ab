//! Collects the nodes and constants of a new graph.

use super::onnx::{DataType, GraphProto, NodeProto, Tensor, ValueInfo};

/// A graph being built. Methods that add a constant return its name.
#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<NodeProto>,
    constants: Vec<Tensor>,
}

impl Graph {
    pub(super) fn node(
        &mut self,
        op_type: &str,
        inputs: &[&str],
        outputs: &[&str],
        domain: &str,
        attributes: Vec<super::onnx::Attribute>,
    ) {
        self.nodes.push(NodeProto {
            input: inputs.iter().map(|name| (*name).to_owned()).collect(),
            output: outputs.iter().map(|name| (*name).to_owned()).collect(),
            op_type: op_type.to_owned(),
            attribute: attributes,
            domain: domain.to_owned(),
        });
    }

    /// The same values under another name.
    pub(super) fn copy(&mut self, name: &str, tensor: &Tensor) -> String {
        self.push(Tensor {
            name: name.to_owned(),
            ..tensor.clone()
        })
    }

    pub(super) fn floats(&mut self, name: &str, dims: &[i64], values: &[f32]) -> String {
        self.constant(
            name,
            DataType::Float,
            dims,
            values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        )
    }

    pub(super) fn int64s(&mut self, name: &str, values: &[i64]) -> String {
        let dims = [i64::try_from(values.len()).unwrap_or(i64::MAX)];
        self.constant(
            name,
            DataType::Int64,
            &dims,
            values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        )
    }

    /// `values` holds one int8 per byte.
    pub(super) fn int8s(&mut self, name: &str, dims: &[i64], values: Vec<u8>) -> String {
        self.constant(name, DataType::Int8, dims, values)
    }

    pub(super) fn finish(self, name: &str, input: Vec<ValueInfo>, output: Vec<ValueInfo>) -> GraphProto {
        GraphProto {
            node: self.nodes,
            name: name.to_owned(),
            initializer: self.constants,
            input,
            output,
        }
    }

    fn constant(&mut self, name: &str, data_type: DataType, dims: &[i64], raw_data: Vec<u8>) -> String {
        self.push(Tensor {
            dims: dims.to_vec(),
            data_type: data_type as i32,
            name: name.to_owned(),
            raw_data,
        })
    }

    fn push(&mut self, tensor: Tensor) -> String {
        let name = tensor.name.clone();
        self.constants.push(tensor);
        name
    }
}

/// Attributes of a node.
pub(super) mod attribute {
    use super::super::onnx::{Attribute, AttributeType};

    pub(in super::super) fn int(name: &str, value: i64) -> Attribute {
        Attribute {
            name: name.to_owned(),
            f: 0.0,
            i: value,
            kind: AttributeType::Int as i32,
        }
    }

    pub(in super::super) fn float(name: &str, value: f32) -> Attribute {
        Attribute {
            name: name.to_owned(),
            f: value,
            i: 0,
            kind: AttributeType::Float as i32,
        }
    }
}
