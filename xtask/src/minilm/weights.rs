//! Reading the published model's constants. A quantised matrix `m` is stored as `m_q` (int8) and `m_scale` (float).

use std::collections::HashMap;

use anyhow::{Context, bail};

use super::onnx::{DataType, Tensor};

pub(super) struct Weights<'a> {
    by_name: HashMap<&'a str, &'a Tensor>,
}

/// int8 values, one a byte, with one scale per column.
pub(super) struct Quantised {
    pub(super) dims: [i64; 2],
    pub(super) values: Vec<u8>,
    pub(super) scales: Vec<f32>,
}

pub(super) struct Floats {
    pub(super) dims: Vec<i64>,
    pub(super) values: Vec<f32>,
}

impl<'a> Weights<'a> {
    pub(super) fn of(tensors: &'a [Tensor]) -> Self {
        Self {
            by_name: tensors.iter().map(|tensor| (tensor.name.as_str(), tensor)).collect(),
        }
    }

    pub(super) fn has_quantised(&self, name: &str) -> bool {
        self.by_name.contains_key(format!("{name}_q").as_str())
    }

    pub(super) fn tensor(&self, name: &str) -> anyhow::Result<&'a Tensor> {
        self.by_name
            .get(name)
            .copied()
            .with_context(|| format!("the embedding model has no `{name}`"))
    }

    pub(super) fn floats(&self, name: &str) -> anyhow::Result<Vec<f32>> {
        let tensor = self.tensor(name)?;
        expect_type(tensor, DataType::Float)?;
        let (values, rest) = tensor.raw_data.as_chunks::<4>();
        if !rest.is_empty() {
            bail!("`{name}` is cut off");
        }
        Ok(values.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    /// A matrix with one scale per row, as floats.
    pub(super) fn dequantised_rows(&self, name: &str) -> anyhow::Result<Floats> {
        let quantised = self.tensor(&format!("{name}_q"))?;
        let scales = self.floats(&format!("{name}_scale"))?;
        let (rows, columns) = matrix_size(quantised)?;
        if scales.len() != rows {
            bail!("`{name}` has {rows} rows and {} scales", scales.len());
        }
        let values = quantised
            .raw_data
            .chunks(columns)
            .zip(&scales)
            .flat_map(|(row, scale)| row.iter().map(move |byte| f32::from(byte.cast_signed()) * scale))
            .collect();
        Ok(Floats {
            dims: quantised.dims.clone(),
            values,
        })
    }

    /// The named matrices, of equal height, side by side.
    pub(super) fn side_by_side(&self, names: &[&str]) -> anyhow::Result<Quantised> {
        let mut parts = Vec::new();
        let mut scales = Vec::new();
        for name in names {
            let tensor = self.tensor(&format!("{name}_q"))?;
            let (rows, columns) = matrix_size(tensor)?;
            let own = self.floats(&format!("{name}_scale"))?;
            if own.len() != columns {
                bail!("`{name}` has {columns} columns and {} scales", own.len());
            }
            scales.extend(own);
            parts.push((rows, columns, tensor.raw_data.as_slice()));
        }
        let rows = parts.first().map_or(0, |part| part.0);
        if parts.iter().any(|part| part.0 != rows) {
            bail!("{} differ in height", names.join(", "));
        }
        let mut values = Vec::with_capacity(rows * scales.len());
        for row in 0..rows {
            for (_, columns, bytes) in &parts {
                values.extend_from_slice(&bytes[row * columns..(row + 1) * columns]);
            }
        }
        Ok(Quantised {
            dims: [i64::try_from(rows)?, i64::try_from(scales.len())?],
            values,
            scales,
        })
    }
}

/// Rows and columns of an int8 matrix whose data is complete.
fn matrix_size(tensor: &Tensor) -> anyhow::Result<(usize, usize)> {
    expect_type(tensor, DataType::Int8)?;
    let [rows, columns] = tensor.dims.as_slice() else {
        bail!("`{}` is not a matrix", tensor.name);
    };
    let (rows, columns) = (usize::try_from(*rows)?, usize::try_from(*columns)?);
    if columns == 0 || Some(tensor.raw_data.len()) != rows.checked_mul(columns) {
        bail!("`{}` is cut off", tensor.name);
    }
    Ok((rows, columns))
}

fn expect_type(tensor: &Tensor, wanted: DataType) -> anyhow::Result<()> {
    if tensor.data_type != wanted as i32 {
        bail!(
            "`{}` has element type {}, expected {}",
            tensor.name,
            tensor.data_type,
            wanted as i32
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(name: &str, dims: [i64; 2], values: &[i8]) -> Tensor {
        Tensor {
            dims: dims.to_vec(),
            data_type: DataType::Int8 as i32,
            name: name.to_owned(),
            raw_data: values.iter().map(|value| value.cast_unsigned()).collect(),
        }
    }

    fn scales(name: &str, values: &[f32]) -> Tensor {
        Tensor {
            dims: vec![1, i64::try_from(values.len()).expect("few")],
            data_type: DataType::Float as i32,
            name: name.to_owned(),
            raw_data: values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        }
    }

    #[test]
    fn matrices_are_joined_row_by_row_with_their_scales() {
        let tensors = [
            matrix("a_q", [2, 2], &[1, 2, 3, 4]),
            scales("a_scale", &[0.5, 0.25]),
            matrix("b_q", [2, 1], &[-5, -6]),
            scales("b_scale", &[2.0]),
        ];
        let joined = Weights::of(&tensors).side_by_side(&["a", "b"]).expect("equal heights");
        let values: Vec<i8> = joined.values.iter().map(|value| value.cast_signed()).collect();
        assert_eq!(values, [1, 2, -5, 3, 4, -6]);
        assert_eq!(joined.dims, [2, 3]);
        assert_eq!(joined.scales, [0.5, 0.25, 2.0]);
    }

    #[test]
    fn rows_are_scaled_each_by_its_own_scale() {
        let tensors = [matrix("p_q", [2, 2], &[1, -2, 3, 4]), scales("p_scale", &[0.5, 10.0])];
        let floats = Weights::of(&tensors).dequantised_rows("p").expect("complete");
        assert_eq!(floats.values, [0.5, -1.0, 30.0, 40.0]);
    }

    #[test]
    fn a_matrix_with_missing_bytes_is_refused() {
        let tensors = [matrix("a_q", [2, 2], &[1, 2, 3]), scales("a_scale", &[1.0, 1.0])];
        let error = Weights::of(&tensors)
            .side_by_side(&["a"])
            .map(drop)
            .expect_err("one value is missing");
        assert!(error.to_string().contains("cut off"), "{error}");
    }
}
